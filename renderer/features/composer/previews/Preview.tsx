import { useMemo } from 'react'
import { part } from '../../../lib/page/part.tsx'
import { useTexts } from '../../../i18n/index.ts'
import { useAppSelector } from '../../../store/hooks.ts'
import { selectSession } from '../../../store/selectors.ts'
import type { Channel } from '#shared/domain/channel.ts'
import { HostSuspense } from '../../connection/index.ts'
import { notifyingBroadcasts } from '../send/broadcasts.ts'
import { mentionedIn, type Person } from '../suggestions/mentions.ts'
import styles from './Preview.module.css'

/** Loaded on first use, because the messages feature itself imports the composer. */
const Markdown = part(async () => (await import('../../messages/index.ts')).Markdown)

type Props = {
  readonly id: string
  readonly text: string
  readonly people: readonly Person[]
  readonly channel: Channel
}

/** The text as the message list will render it, with the same component. The field below stays open. */
export function Preview({ id, text, people, channel }: Props) {
  const t = useTexts('composer')
  const viewerId = useAppSelector((state) => selectSession(state).userId)
  const mentioned = useMemo(() => {
    const ids = new Set<string>(mentionedIn(text, people))
    const broadcasts = notifyingBroadcasts(text, channel).map((name) => ({ id: name, name, all: true as const }))
    return [...broadcasts, ...people.filter((person) => ids.has(person.id))]
  }, [text, people, channel])
  return (
    <section id={id} className={styles['preview']} aria-label={t('preview')} data-preview="">
      {text.trim() === '' ? (
        <p className={styles['nothing']}>{t('previewEmpty')}</p>
      ) : (
        <HostSuspense small>
          <Markdown text={text} mentioned={mentioned} viewerId={viewerId} />
        </HostSuspense>
      )}
    </section>
  )
}
