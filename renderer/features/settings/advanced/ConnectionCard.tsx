import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'
import { startOfDay, useFormats, useLanguage, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useAppDispatch, useConnection, useSession } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { reconnect } from '../commands.ts'
import styles from './Advanced.module.css'

/** State of the connection to the server, and a button to reconnect. */
export function ConnectionCard({ figures }: { readonly figures: Diagnostics }) {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const language = useLanguage()
  const { state } = useConnection()
  const { workspace } = useSession()
  const { since = figures.at } = summarizeConnection(figures, startOfDay(figures.at))
  const time = spanText(language, Math.max(0, figures.at - since))
  return (
    <section className={styles['card']} aria-label={t('advanced.connection')}>
      <div className={styles['cardHead']}>
        <span className={cx(styles['dot'], state === 'healthy' && styles['well'])} aria-hidden="true" />
        <strong>{t(`advanced.states.${state}`)}</strong>
        <span className={styles['faint']}>{t(`advanced.transports.${figures.connection.transport}`, { time })}</span>
        <Button size="small" onClick={() => void dispatch(reconnect())}>
          {t('advanced.reconnect')}
        </Button>
      </div>
      <dl className={styles['facts']}>
        <dt>{t('advanced.host')}</dt>
        <dd>{hostOf(workspace?.url)}</dd>
        <Answers figures={figures} />
        <Reconnects figures={figures} language={language} />
        <Clock offsetMs={figures.clockOffsetMs} />
      </dl>
    </section>
  )
}

function Answers({ figures }: { readonly figures: Diagnostics }) {
  const t = useTexts('preferences')
  const formats = useFormats()
  const answers = summarizeResponses(figures.calls)
  return (
    <>
      <dt>{t('advanced.lastAnswer')}</dt>
      <dd>
        {answers === undefined
          ? t('advanced.noAnswer')
          : t('advanced.answered', {
              when: formats.ago(answers.lastAt, figures.at),
              ms: formats.number(Math.round(answers.medianMs)),
            })}
      </dd>
    </>
  )
}

function Reconnects({ figures, language }: { readonly figures: Diagnostics; readonly language: string }) {
  const t = useTexts('preferences')
  const formats = useFormats()
  const { reconnects, longestGapMs } = summarizeConnection(figures, startOfDay(figures.at))
  return (
    <>
      <dt>{t('advanced.reconnects')}</dt>
      <dd>
        {longestGapMs === 0
          ? formats.number(reconnects)
          : t('advanced.reconnectsLong', { count: reconnects, time: spanText(language, longestGapMs) })}
      </dd>
    </>
  )
}

function Clock({ offsetMs }: { readonly offsetMs: number }) {
  const t = useTexts('preferences')
  const { number } = useFormats()
  const rounded = Math.round(offsetMs)
  const ms = number(Math.abs(rounded))
  return (
    <>
      <dt>{t('advanced.clock')}</dt>
      <dd>
        {rounded === 0
          ? t('advanced.clockSame')
          : t(rounded < 0 ? 'advanced.clockBehind' : 'advanced.clockAhead', { ms })}
      </dd>
    </>
  )
}

/** The host name only, without port and path. */
function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : (url ?? '')
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** A duration in its two largest units: `3 hr 12 min`, `41 sec`. */
function spanText(language: string, ms: number): string {
  const first = UNITS.findIndex(([, size]) => ms >= size)
  const [unit, size] = UNITS[first === -1 ? UNITS.length - 1 : first] ?? UNITS[3]
  const amount = Math.floor(ms / size)
  const [nextUnit, nextSize] = UNITS[first + 1] ?? []
  const rest = first === -1 || nextSize === undefined ? 0 : Math.floor((ms % size) / nextSize)
  const unitText = (value: number, of: string): string =>
    new Intl.NumberFormat(language, { style: 'unit', unit: of, unitDisplay: 'short' }).format(value)
  return rest === 0 || nextUnit === undefined
    ? unitText(amount, unit)
    : `${unitText(amount, unit)} ${unitText(rest, nextUnit)}`
}

type ConnectionSummary = {
  /** When the current state began; absent if it has not changed since the start. */
  readonly since?: number
  /** Number of reconnects since `from`. */
  readonly reconnects: number
  /** Longest time without a connection since `from`, in milliseconds; an ongoing gap counts until now. */
  readonly longestGapMs: number
}

/** Summarizes the connection's changes since `from` (epoch milliseconds). */
export function summarizeConnection(
  { transitions, at }: Pick<Diagnostics, 'transitions' | 'at'>,
  from: number,
): ConnectionSummary {
  let lostAt: number | undefined
  let wasHealthy = false
  let reconnects = 0
  let longestGapMs = 0
  const gapEnded = (end: number): void => {
    if (lostAt !== undefined && end >= from) longestGapMs = Math.max(longestGapMs, end - lostAt)
  }
  for (const transition of transitions) {
    if (transition.state === 'healthy') {
      if (lostAt !== undefined && transition.at >= from) reconnects += 1
      gapEnded(transition.at)
      lostAt = undefined
      wasHealthy = true
    } else if (wasHealthy) lostAt ??= transition.at
  }
  gapEnded(at)
  const since = sinceOf(transitions)
  return { reconnects, longestGapMs, since }
}

/** Time of the first of the latest changes with the same state. */
function sinceOf(transitions: Diagnostics['transitions']): number | undefined {
  const state = transitions.at(-1)?.state
  const other = transitions.findLastIndex((transition) => transition.state !== state)
  return transitions[other + 1]?.at
}

/** Time of the latest response, and the median of the operations' medians, weighted by their number of responses. */
export function summarizeResponses(
  calls: Diagnostics['calls'],
): { readonly lastAt: number; readonly medianMs: number } | undefined {
  const answered = calls.filter((call) => call.answered > 0)
  if (answered.length === 0) return undefined
  const half = answered.reduce((sum, call) => sum + call.answered, 0) / 2
  let seen = 0
  const middle = answered.toSorted((a, b) => a.p50Ms - b.p50Ms).find((call) => (seen += call.answered) >= half)
  return { lastAt: Math.max(...answered.map(({ lastAt }) => lastAt)), medianMs: middle?.p50Ms ?? 0 }
}
