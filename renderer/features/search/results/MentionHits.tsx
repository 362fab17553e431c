import { useEffect, useSyncExternalStore } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { useDelayed } from '../../../lib/time/use-delayed.ts'
import { useConnection, useObject } from '../../../store/hooks.ts'
import { perAccount } from '../../../store/objects.ts'
import type { MentionList } from '../../../store/window/views.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Empty } from '../../../ui/View/Empty.tsx'
import { LoadingText, SKELETON_DELAY_MS, Unanswered } from '../../connection/index.ts'
import { HitList } from './HitList.tsx'
import { Results } from './results.ts'
import styles from '../Search.module.css'

/** Queries in filter syntax, which is valid in every language. */
const QUESTIONS: Readonly<Record<MentionList, string>> = {
  mentions: 'mentions:me',
  replies: 'is:reply',
  reactions: 'is:mine has:reaction',
}
const NONE = {
  mentions: { title: 'mentions.none', text: 'mentions.noneText' },
  replies: { title: 'mentions.noReplies', text: 'mentions.noRepliesText' },
  reactions: { title: 'mentions.noReactions', text: 'mentions.noReactionsText' },
} as const

/** Stored outside the view, so that the list and its position are restored on return. */
const LISTS = perAccount(({ engine }) => ({
  mentions: new Results(engine),
  replies: new Results(engine),
  reactions: new Results(engine),
}))

type Props = {
  readonly kind: MentionList
  /** Filters the list; empty shows all. */
  readonly text: string
  /** Arrow Up in the first row moves the focus to the field. */
  readonly onUp: () => void
}

/** The list of mentions, replies or reactions. */
export function MentionHits({ kind, text: label, onUp }: Props) {
  const t = useTexts('unread')
  const results = useObject(LISTS)[kind]
  const found = useSyncExternalStore(results.subscribe, results.found)
  const { offline } = useConnection()
  const text = `${QUESTIONS[kind]} ${label.trimStart()}`.trim()
  const waiting = useDelayed(found.busy !== 'none' && found.hits.length === 0, SKELETON_DELAY_MS)
  useEffect(() => {
    const isNew = results.text() !== text
    results.ask({ text })
    // Loads what is new since the last visit, and results of the server once connected.
    if (!isNew && !offline) results.again()
  }, [results, text, offline])
  const isUnanswered = found.hits.length === 0 && found.busy === 'none' && (offline || found.server === 'unreachable')
  if (isUnanswered && offline) return <Unanswered part="messages" />
  if (found.error !== undefined || isUnanswered) {
    return (
      <Empty
        scene="offline"
        title={t('mentions.failed')}
        action={
          <Button variant="primary" onClick={() => results.again()}>
            {t('mentions.again')}
          </Button>
        }
      >
        {null}
      </Empty>
    )
  }
  if (found.hits.length > 0) {
    return (
      <div className={styles['panel']} data-mentions="">
        <HitList results={results} found={found} onUp={onUp} />
      </div>
    )
  }
  if (found.busy !== 'none')
    return waiting ? <LoadingText what={t('mentions.looking')} onRetry={() => results.again()} /> : null
  const isNarrowed = label.trim() !== ''
  return (
    <Empty
      scene={isNarrowed ? 'search' : 'chat'}
      title={isNarrowed ? t('mentions.noneFound', { query: label.trim() }) : t(NONE[kind].title)}
    >
      {isNarrowed ? t('mentions.noneFoundText') : t(NONE[kind].text)}
    </Empty>
  )
}
