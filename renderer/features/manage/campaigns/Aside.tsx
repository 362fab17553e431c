import { useEffect, useState } from 'react'
import { EXCLUSIONS, type CampaignContent, type DryRunPerson } from '#shared/domain/manage/campaigns.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { useConnection, useAppDispatch, useMe } from '../../../store/hooks.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { PopoverPill } from '../../../ui/Mark/Pill.tsx'
import type { DryRun } from './use-dry-run.ts'
import { useFieldName, withinSentence } from './words.tsx'
import { Markdown } from '../../messages/index.ts'
import { Portrait, useName } from '../../people/index.ts'
import { usePoll, loadDryRunPeople } from './commands.ts'
import styles from './Campaigns.module.css'
import { FindList, type Found } from '../FindList.tsx'

type Props = {
  readonly content: CampaignContent
  readonly dryRun: DryRun | undefined
  readonly onCheck: () => void
}

/** The message as somebody will read it, and who gets it. */
export function Aside({ content, dryRun, onCheck }: Props) {
  const t = useTexts('campaigns')
  const errorText = useErrorText()
  const { offline } = useConnection()
  const summary = dryRun?.summary
  const isOld = dryRun !== undefined && !dryRun.running && dryRun.of !== content
  return (
    <div className={styles['aside']}>
      {dryRun?.run === undefined || summary === undefined ? null : (
        <Preview key={dryRun.run} content={content} run={dryRun.run} count={summary.people} />
      )}
      <section aria-label={t('who.title')}>
        <h2 className={styles['asideHead']}>{t('who.title')}</h2>
        <div role="status">
          {summary === undefined ? null : (
            <p className={styles['total']}>{t('who.people', { count: summary.people })}</p>
          )}
          {dryRun?.running === true ? (
            <p className={styles['hint']}>{t('who.counting', { count: dryRun.checked })}</p>
          ) : null}
        </div>
        {summary === undefined ? null : <Sum dryRun={dryRun} />}
        {dryRun?.error === undefined ? null : <p role="alert">{errorText(dryRun.error)}</p>}
        {isOld ? <p className={styles['hint']}>{t('who.old')}</p> : null}
        {dryRun === undefined || isOld || dryRun.error !== undefined ? (
          <Button size="small" aria-disabled={offline || undefined} onClick={() => offline || onCheck()}>
            {dryRun === undefined ? t('who.count') : t('who.again')}
          </Button>
        ) : null}
        {dryRun === undefined ? <p className={styles['hint']}>{t('who.hint')}</p> : null}
      </section>
    </div>
  )
}

/** An addition that can be checked: found, without those named twice, without those left out, by reason. */
function Sum({ dryRun }: { readonly dryRun: DryRun | undefined }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const fieldName = useFieldName()
  const summary = dryRun?.summary
  if (summary === undefined) return null
  const minus = (count: number): string => `− ${formats.number(count)}`
  return (
    <dl className={styles['sum']}>
      <dt>{t('who.found')}</dt>
      <dd>{formats.number(summary.found)}</dd>
      {summary.twice === 0 ? null : (
        <>
          <dt>{t('who.twice')}</dt>
          <dd>{minus(summary.twice)}</dd>
        </>
      )}
      {EXCLUSIONS.map((why) => {
        const count = summary.excluded[why] ?? 0
        return count === 0 ? null : (
          <div key={why} className={styles['pair']}>
            <dt>{t(`excluded.${why}`)}</dt>
            <dd>{minus(count)}</dd>
          </div>
        )
      })}
      {summary.channels === 0 ? null : (
        <>
          <dt>{t('who.channels')}</dt>
          <dd>{formats.number(summary.channels)}</dd>
        </>
      )}
      {Object.entries(summary.missing).map(([key, count]) => (
        <div key={key} className={styles['pair']}>
          <dt>{t('who.missing', { field: withinSentence(fieldName(key)) })}</dt>
          <dd>{formats.number(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

type PreviewProps = { readonly content: CampaignContent; readonly run: string; readonly count: number }

/** As one of them will see it. Ctrl Shift with the left and right arrow goes to the previous and the next person. */
function Preview({ content, run, count }: PreviewProps) {
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
