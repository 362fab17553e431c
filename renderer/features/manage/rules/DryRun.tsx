import { useEffect, useRef, useState } from 'react'
import type { DryRunHit, Rules } from '#shared/domain/manage/rules.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { openInChannel } from '../../search/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { Tag } from '../../../ui/Mark/Tag.tsx'
import { useName } from '../../people/index.ts'
import { channelTitle } from '../../sidebar/index.ts'
import { dryRunStep } from './commands.ts'
import { problemOf, ruleOf, type RuleDraft } from './drafts.ts'
import { Marked } from './Marked.tsx'
import styles from './Rules.module.css'

const DAY_MS = 86_400_000
const PERIODS = { week: 7, month: 30, year: 365, all: undefined } as const
type Period = keyof typeof PERIODS
const PERIOD_NAMES = Object.keys(PERIODS) as readonly Period[]
/** Rows shown before they are asked for. */
const FIRST = 20
/** Later ones are counted and not kept. */
const MOST_HITS = 1_000

type Run = {
  /** What was tried: another rule since makes the result old. */
  readonly of: string
  readonly running: boolean
  readonly caught: number
  readonly hits: readonly DryRunHit[]
  readonly checked: number
  readonly unreadable: number
  readonly cids: ReadonlySet<string>
  readonly error?: ErrorBody
}

const NOTHING: Omit<Run, 'of'> = { running: true, caught: 0, hits: [], checked: 0, unreadable: 0, cids: new Set() }

/** One run at a time, in steps; the next one, or leaving the page, stops it. */
function useDryRun(draft: RuleDraft): {
  readonly run: Run | undefined
  readonly start: (since: number | undefined) => Promise<void>
  readonly stop: () => void
} {
  const dispatch = useAppDispatch()
  const [run, setRun] = useState<Run>()
  const current = useRef(0)
  const stop = (): void => {
    current.current += 1
    setRun((before) => before && { ...before, running: false })
  }
  useEffect(
    () => () => {
      current.current += 1
    },
    [],
  )
  const start = async (since: number | undefined): Promise<void> => {
    const mine = (current.current += 1)
    const of = JSON.stringify(ruleOf(draft))
    let total: Run = { ...NOTHING, of }
    let from: string | undefined
    setRun(total)
    do {
      const step = await dispatch(dryRunStep({ rule: ruleOf(draft), since, from }))
      if (mine !== current.current) return
      if (!step.ok) {
        setRun({ ...total, running: false, error: step.error })
        return
      }
      const { hits, checked, unreadable, cids, next } = step.value
      from = next
      total = {
        ...total,
        running: next !== undefined,
        caught: total.caught + hits.length,
        hits: [...total.hits, ...hits].slice(0, MOST_HITS),
        checked: total.checked + checked,
        unreadable: total.unreadable + unreadable,
        cids: new Set([...total.cids, ...cids]),
      }
      setRun(total)
    } while (from !== undefined)
  }
  return { run, start, stop }
}

type Props = { readonly draft: RuleDraft; readonly rules: Rules }

/** What a rule would have caught among the messages on this computer. */
export function DryRun({ draft, rules }: Props) {
  const t = useTexts('rules')
  const errorText = useErrorText()
  const [period, setPeriod] = useState<Period>('month')
  const { run, start, stop } = useDryRun(draft)
  const isReady = problemOf({ ...draft, name: 'any' }, rules.support) === undefined
  const isOld = run !== undefined && run.of !== JSON.stringify(ruleOf(draft))
  const done = run !== undefined && !run.running && run.error === undefined
  const caught = run?.caught ?? 0
  useEffect(() => {
    if (done) announce(t('dry.caught', { count: caught }))
  }, [done, caught, t])
  const begin = (): void => {
    const days = PERIODS[period]
    void start(days === undefined ? undefined : Date.now() - days * DAY_MS)
  }
  return (
    <div className={styles['dry']}>
      <div className={styles['dryHead']}>
        <h2 className={styles['label']}>{t('dry.title')}</h2>
        <Select
          label={t('dry.period')}
          value={period}
          choices={PERIOD_NAMES.map((value) => ({ value, label: t(`dry.periods.${value}`) }))}
          onChange={setPeriod}
        />
      </div>
      {run === undefined ? <p className={styles['hint']}>{t('dry.about')}</p> : <Result run={run} isOld={isOld} />}
      {run?.error === undefined ? null : (
        <p role="alert" className={styles['error']}>
          {errorText(run.error)}
        </p>
      )}
      {run?.running === true ? (
        <Button size="small" icon="stop" onClick={stop}>
          {t('dry.stop')}
        </Button>
      ) : (
        <Button size="small" icon="play" aria-disabled={!isReady || undefined} onClick={() => isReady && begin()}>
          {t(run === undefined ? 'dry.start' : 'dry.again')}
        </Button>
      )}
    </div>
  )
}

type Group = 'all' | 'reported' | 'unreported'

function Result({ run, isOld }: { readonly run: Run; readonly isOld: boolean }) {
  const t = useTexts('rules')
  const [group, setGroup] = useState<Group>('all')
  const [whole, setWhole] = useState(false)
  const reported = run.hits.filter((hit) => hit.reported === true)
  const unreported = run.hits.filter((hit) => hit.reported === false)
  const rows = group === 'all' ? run.hits : group === 'reported' ? reported : unreported
  const groups: Readonly<Record<Group, number>> = {
    all: run.caught,
    reported: reported.length,
    unreported: unreported.length,
  }
  return (
    <>
      <p className={styles['sum']}>
        {t('dry.caught', { count: run.caught })} {isOld ? <Tag tone="warning">{t('dry.old')}</Tag> : null}
      </p>
      <p className={styles['hint']} aria-busy={run.running || undefined}>
        {t(run.running ? 'dry.checking' : 'dry.checked', { count: run.checked })}{' '}
        {t('dry.where', { count: run.cids.size })}{' '}
        {run.unreadable === 0 ? null : t('dry.unreadable', { count: run.unreadable })}
      </p>
      {reported.length + unreported.length === 0 ? null : (
        <Segments
          label={t('dry.groups.label')}
          value={group}
          choices={(['all', 'reported', 'unreported'] as const).map((value) => ({
            value,
            label: t(`dry.groups.${value}`, { count: groups[value] }),
          }))}
          onChange={setGroup}
        />
      )}
      <ul className={styles['hits']}>
        {rows.slice(0, whole ? undefined : FIRST).map((hit) => (
          <Hit key={hit.messageId} hit={hit} />
        ))}
      </ul>
      {whole || rows.length <= FIRST ? null : (
        <button type="button" className={styles['link']} onClick={() => setWhole(true)}>
          {t('dry.showAll', { count: rows.length })}
        </button>
      )}
    </>
  )
}

function Hit({ hit }: { readonly hit: DryRunHit }) {
  const t = useTexts('rules')
  const formats = useFormats()
  const now = useMinute()
  const dispatch = useAppDispatch()
  const name = useName(asUserId(hit.userId))
  const channel = useAppSelector((state) => channelTitle(state, hit.cid))
  return (
    <li className={styles['hit']}>
      <button
        type="button"
        className={styles['hitOpen']}
        onClick={() => dispatch(openInChannel({ cid: hit.cid, messageId: asMessageId(hit.messageId) }))}
      >
        <span className={styles['hitHead']}>
          <b>
            <bdi>{name}</bdi>
          </b>
          <span className="ellipsis">
            #{channel}, {formats.relative(hit.at, now)}
          </span>
          {hit.reported === false ? <Tag>{t('dry.notReported')}</Tag> : null}
        </span>
        <span className={styles['hitText']}>
          <Marked text={hit.text.slice(0, 600)} ranges={hit.ranges.filter(({ end }) => end <= 600)} />
        </span>
      </button>
    </li>
  )
}
