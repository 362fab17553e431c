import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { ListedRule, Rules, TextRange, DryRunHit } from '#shared/domain/manage/rules.ts'
import { decideBy, hitsIn } from '#shared/rules/moderation/decide.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import { useFormats, useTexts, useErrorText } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Segments, Select } from '../../../ui/Choice/Choice.tsx'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { openInChannel } from '../../search/index.ts'
import { useName } from '../../people/index.ts'
import { channelTitle } from '../../sidebar/index.ts'
import { keyOf, ruleOf, type RuleDraft, problemOf, dryRunStep } from './drafts.ts'
import styles from './Rules.module.css'

const YEAR_MS = 365 * 86_400_000

/** Who writes the text: a rule may look at that. */
const PERSONS = {
  newGuest: { role: 'guest', ageMs: 0 },
  newMember: { role: 'user', ageMs: 0 },
  member: { role: 'user', ageMs: YEAR_MS },
  moderator: { role: 'moderator', ageMs: YEAR_MS },
} as const
type Person = keyof typeof PERSONS
const PERSON_NAMES = Object.keys(PERSONS) as readonly Person[]

/** The text that is tried; it stays while other rules are looked at. */
export type Tried = { readonly text: string; readonly person: Person }

export const NOTHING_TRIED: Tried = { text: '', person: 'newGuest' }

type Props = {
  readonly rules: Rules
  readonly draft: RuleDraft
  readonly value: Tried
  readonly onChange: (value: Tried) => void
}

/** What the rules would do with a text, at every key, with the rule as it is being changed. */
export function TryOut({ rules, draft, value, onChange }: Props) {
  const t = useTexts('rules')
  const { list } = useFormats()
  const now = useMinute()
  const id = useId()
  const { text, person } = value
  const [choosing, setChoosing] = useState(false)
  const choice = useRef<HTMLDivElement>(null)
  // The button that opens the choice goes with its press.
  useEffect(() => {
    if (choosing) choice.current?.querySelector('select')?.focus()
  }, [choosing])
  const tried = useMemo(() => withDraft(rules.rules, draft), [rules, draft])
  const decide = useMemo(
    () =>
      decideBy(
        tried,
        rules.lists.filter(({ foreign }) => foreign === undefined),
      ),
    [tried, rules.lists],
  )
  const { role, ageMs } = PERSONS[person]
  const cid = draft.conditions.flatMap((each) => (each.kind === 'channel' ? [each.cid] : []))[0] ?? ''
  const decision = text === '' ? undefined : decide({ text, attachments: 0, cid, role, joinedAt: now - ageMs, at: now })
  const hits = decision === undefined ? [] : hitsIn(text, decision.ranges)
  const who = t(`persons.${person}`)
  return (
    <div className={styles['try']}>
      <label className={styles['label']} htmlFor={id}>
        {t('test.try')}
      </label>
      <Field
        id={id}
        text={text}
        ranges={decision?.ranges ?? NO_RANGES}
        onChange={(next) => onChange({ ...value, text: next })}
      />
      <div role="status" className={cx(styles['verdict'], decision !== undefined && styles['caught'])}>
        {text === '' ? (
          <span>{t('test.empty')}</span>
        ) : decision === undefined ? (
          <>
            <Icon name="check" size={16} /> <span>{t('test.passes', { who })}</span>
          </>
        ) : (
          <>
            <Icon name="ban" size={16} />
            <span>
              <b>{t(`actions.${decision.rule.action}.done`)}</b> {t('test.for', { who })}
              <br />
              {t('test.by', { number: tried.indexOf(decision.rule) + 1, name: decision.rule.name || t('newRule') })}
              {hits.length === 0
                ? null
                : ` ${t('test.hits', { hits: list(hits.slice(0, 5).map((hit) => t('test.quoted', { hit }))) })}`}
            </span>
          </>
        )}
      </div>
      {choosing ? (
        <div ref={choice}>
          <Select
            label={t('test.as')}
            value={person}
            choices={PERSON_NAMES.map((each) => ({ value: each, label: t(`persons.${each}`) }))}
            onChange={(next) => onChange({ ...value, person: next })}
          />
        </div>
      ) : (
        <button type="button" className={styles['link']} onClick={() => setChoosing(true)}>
          {t('test.as')}
        </button>
      )}
    </div>
  )
}

const NO_RANGES: readonly TextRange[] = []

/** The rules in their order, with the changed one in its place and switched on; a new one comes last. */
function withDraft(rules: readonly ListedRule[], draft: RuleDraft): readonly ListedRule[] {
  const changed = { ...ruleOf(draft), id: keyOf(draft), enabled: true }
  const whole: ListedRule = { version: '', position: Number.MAX_SAFE_INTEGER, ...changed }
  return rules.some(({ id }) => id === draft.id)
    ? rules.map((rule) => (rule.id === draft.id ? { ...rule, ...changed } : rule))
    : [...rules, whole]
}

type FieldProps = {
  readonly id: string
  readonly text: string
  readonly ranges: readonly TextRange[]
  readonly onChange: (text: string) => void
}

/** The text area over the same text with its marks: a text area cannot have any. */
function Field({ id, text, ranges, onChange }: FieldProps) {
  const t = useTexts('rules')
  return (
    <div className={styles['field']}>
      <div className={styles['behind']} aria-hidden="true">
        <Marked text={text} ranges={ranges} />
        {'\u200B'}
      </div>
      <textarea
        id={id}
        dir="auto"
        rows={2}
        maxLength={5_000}
        placeholder={t('test.placeholder')}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}

/** A text with the parts that match. */
function Marked({ text, ranges }: { readonly text: string; readonly ranges: readonly TextRange[] }) {
  return (
    <bdi className={styles['marked']}>
      {ranges.map(({ start, end }, index) => (
        <span key={start}>
          {text.slice(ranges[index - 1]?.end ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(ranges.at(-1)?.end ?? 0)}
    </bdi>
  )
}

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

type DryRunProps = { readonly draft: RuleDraft; readonly rules: Rules }

/** What a rule would have caught among the messages on this computer. */
export function DryRun({ draft, rules }: DryRunProps) {
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
          <span className={styles['hitPlace']}>
            #{channel}, {formats.ago(hit.at, now)}
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
