import { useEffect, useState } from 'react'
import type { CampaignContent, DryRunPerson } from '#shared/domain/manage/campaigns.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useMe } from '../../../store/hooks.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { PopoverPill } from '../../../ui/Mark/Pill.tsx'
import { Markdown } from '../../messages/index.ts'
import { Portrait, useName } from '../../people/index.ts'
import { FindList, type Found } from '../FindList.tsx'
import { loadDryRunPeople } from './commands.ts'
import { usePoll } from './use-poll.ts'
import styles from './Campaigns.module.css'

type Props = { readonly content: CampaignContent; readonly run: string; readonly count: number }

/** As one of them will see it. Ctrl Shift with the left and right arrow goes to the previous and the next person. */
export function Preview({ content, run, count }: Props) {
  const t = useTexts('campaigns')
  const [at, setAt] = useState(0)
  const person = usePerson(run, at, count)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!event.ctrlKey || !event.shiftKey || event.altKey) return
      const by = event.code === 'ArrowLeft' ? -1 : event.code === 'ArrowRight' ? 1 : 0
      if (by === 0) return
      event.preventDefault()
      setAt((before) => Math.min(count - 1, Math.max(0, before + by)))
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [count])
  if (count === 0) return null
  return (
    <section aria-label={t('preview.title')} className={styles['preview']}>
      <header className={styles['previewHead']}>
        <span className={styles['previewAs']}>
          <PopoverPill
            icon="user"
            text={person === undefined ? t('preview.title') : t('preview.as', { name: person.name })}
          >
            {(close) => (
              <Choosing
                run={run}
                onChoose={(place) => {
                  setAt(place - 1)
                  close()
                }}
              />
            )}
          </PopoverPill>
        </span>
        <span className={styles['hint']}>{t('preview.place', { place: at + 1, count })}</span>
        <IconButton
          icon="arrow-left"
          size="small"
          label={t('preview.previous')}
          disabled={at === 0}
          onClick={() => setAt(at - 1)}
        />
        <IconButton
          icon="arrow-right"
          size="small"
          label={t('preview.next')}
          disabled={at >= count - 1}
          onClick={() => setAt(at + 1)}
        />
      </header>
      <Card content={content} text={person?.text ?? ''} />
    </section>
  )
}

function usePerson(run: string, at: number, count: number): DryRunPerson | undefined {
  const dispatch = useAppDispatch()
  const [person, setPerson] = useState<DryRunPerson>()
  useEffect(() => {
    let wanted = true
    const ask = async (): Promise<void> => {
      const loaded = await dispatch(loadDryRunPeople({ run, view: 'gets', offset: at }))
      if (wanted && loaded.ok) setPerson(loaded.value.people[0])
    }
    if (count > 0) void ask()
    return () => {
      wanted = false
    }
  }, [dispatch, run, at, count])
  return person
}

type ChoosingProps = { readonly run: string; readonly onChoose: (place: number) => void }

/** Anyone who gets it. */
function Choosing({ run, onChoose }: ChoosingProps) {
  const t = useTexts('campaigns')
  const dispatch = useAppDispatch()
  const [places] = useState(() => new Map<string, number>())
  const [find] = useState(() => async (text: string): Promise<readonly Found[]> => {
    const found = await dispatch(loadDryRunPeople({ run, view: 'gets', find: text }))
    if (!found.ok) return []
    const shown = found.value.people.slice(0, FOUND)
    for (const { id, place } of shown) if (place !== undefined) places.set(id, place)
    return shown
  })
  return (
    <div className={styles['adding']}>
      <FindList
        label={t('dry.find')}
        find={find}
        renderSign={(id) => <Portrait userId={id} size={22} />}
        searching={t('searching')}
        nothing={t('nothingFound')}
        onChoose={({ id }) => onChoose(places.get(id) ?? 1)}
      />
    </div>
  )
}

/** People who are offered at a time. */
const FOUND = 12

/** The text as it is filled in, and what goes with it. */
function Card({ content, text }: { readonly content: CampaignContent; readonly text: string }) {
  const sender = useName(content.senderId)
  const me = useMe()?.id
  const { attachments, pollId } = content
  const poll = usePoll(pollId)
  return (
    <div className={styles['card']} aria-live="polite">
      <Portrait userId={content.senderId} size={32} />
      <div className={styles['cardText']}>
        <bdi className={styles['cardName']}>{sender}</bdi>
        <Markdown text={text} mentioned={NOBODY} viewerId={me} />
        {attachments.length === 0 ? null : (
          <ul className={styles['goesWith']}>
            {attachments.map(({ title, image }, index) => (
              <li key={index}>
                <Icon name={image ? 'image' : 'file'} size={16} />
                <bdi className="ellipsis">{title}</bdi>
              </li>
            ))}
          </ul>
        )}
        {pollId === undefined ? null : <Poll poll={poll} />}
      </div>
    </div>
  )
}

/** As it is before anybody has voted. */
function Poll({ poll }: { readonly poll: ReturnType<typeof usePoll> }) {
  const t = useTexts('campaigns')
  if (poll === undefined) return null
  if (poll === 'gone') return <p className={styles['hint']}>{t('preview.pollGone')}</p>
  return (
    <section aria-label={t('extras.poll.title')} className={styles['poll']}>
      <b className={styles['cardName']}>{poll.question}</b>
      <ul>
        {poll.options.map((option) => (
          <li key={option}>
            <span className={styles['pollMark']} />
            <bdi>{option}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}

const NOBODY: readonly never[] = []
