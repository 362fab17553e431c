import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'
import { startOfDay, useFormats, useLanguage, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useAppDispatch, useConnection, useSession } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { reconnect } from '../commands.ts'
import { summarizeConnection, summarizeResponses } from './figures.ts'
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
              when: formats.relative(answers.lastAt, figures.at),
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
