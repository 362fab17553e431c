import { useState, useEffect, type ReactNode } from 'react'
import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'
import { useFormats, useTexts, loadTexts, resolveLanguage, useLanguage } from '../../../i18n/index.ts'
import { useRegistry } from '../../../registry/feature.ts'
import { useAppDispatch, useAppServices, useAppStore, useObject } from '../../../store/hooks.ts'
import { panelOpened, viewLeft } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { cx } from '../../../lib/cx.ts'
import {
  clearSpeed,
  readSpeed,
  SPEED_GOALS,
  SPEED_KINDS,
  type SpeedKind,
  summarizeSpeed,
} from '../../../lib/page/speed.ts'
import { announce } from '../../../lib/page/announce.ts'
import { Reset, SettingRow, ManagedSettings } from '../controls/SettingRow.tsx'
import { askDiagnostics } from '../commands.ts'
import { askLog } from '../data/commands.ts'
import { RECORDING } from '../problem/RecordingChip.tsx'
import { recordProblem } from '../problem/recorder.ts'
import { ConnectionCard } from './ConnectionCard.tsx'
import tablesStyles from './Advanced.module.css'

/** Diagnostics for people who run the server or report a problem. Contains no message content. */
export function Advanced() {
  const t = useTexts('preferences')
  const figures = useDiagnostics()
  const fields = [...new Set(useRegistry().settings.flatMap((page) => page.fields ?? []))]
  return (
    <>
      <h2>{t('advanced.connection')}</h2>
      {figures === undefined ? null : (
        <>
          <ConnectionCard figures={figures} />
          <Queue figures={figures} />
          <Report figures={figures} />
        </>
      )}
      <ProblemRow />
      <LogRow />
      <Speed />
      <ManagedSettings />
      <SettingRow title={t('advanced.resetAll')} hint={t('advanced.resetAllHint')}>
        <Reset label={t('reset.all')} fields={fields} />
      </SettingRow>
      {figures === undefined ? null : (
        <>
          <ResponseTimes figures={figures} />
          <Failures figures={figures} />
          <Changes figures={figures} />
        </>
      )}
    </>
  )
}

function Queue({ figures: { queue } }: { readonly figures: Diagnostics }) {
  const t = useTexts('preferences')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const count = Object.values(queue.byState).reduce((sum, some) => sum + some, 0)
  const { oldestAt } = queue
  const show = (): void => {
    dispatch(viewLeft())
    dispatch(panelOpened({ kind: 'outbox' }))
  }
  return (
    <SettingRow
      title={t('advanced.queue')}
      hint={
        oldestAt === undefined
          ? t('advanced.queueNothing')
          : t('advanced.queueOldest', { count, when: formats.dayAndTime(oldestAt) })
      }
    >
      {oldestAt === undefined ? null : <Button onClick={show}>{t('advanced.toOutbox')}</Button>}
    </SettingRow>
  )
}

function Report({ figures }: { readonly figures: Diagnostics }) {
  const t = useTexts('preferences')
  const [status, setStatus] = useState<'copied' | 'notCopied'>()
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(figures, undefined, 2))
      setStatus('copied')
    } catch {
      setStatus('notCopied')
    }
  }
  return (
    <SettingRow title={t('advanced.report')} hint={t('advanced.copyHint')}>
      <span role="status">{status === undefined ? null : t(`advanced.${status}`)}</span>
      <Button icon="copy" onClick={() => void copy()}>
        {t('advanced.copy')}
      </Button>
    </SettingRow>
  )
}

/** Rare enough that polling does not affect the figures. */
const POLL_MS = 3_000

/** Diagnostics of the engine, polled while the page is shown. */
function useDiagnostics(): Diagnostics | undefined {
  const dispatch = useAppDispatch()
  const [diagnostics, setDiagnostics] = useState<Diagnostics>()
  useEffect(() => {
    let isShown = true
    const ask = async (): Promise<void> => {
      const answer = await dispatch(askDiagnostics())
      if (isShown && answer.ok) setDiagnostics(answer.value)
    }
    void ask()
    const timer = setInterval(() => void ask(), POLL_MS)
    return () => {
      isShown = false
      clearInterval(timer)
    }
  }, [dispatch])
  return diagnostics
}

/** The newest lines of the log, loaded on request. */
export function LogRow() {
  const t = useTexts('data')
  const dispatch = useAppDispatch()
  const [text, setText] = useState<string>()
  const [status, setStatus] = useState<'logCopied' | 'logNotCopied'>()
  const ask = async (): Promise<void> => {
    const answer = await dispatch(askLog())
    if (answer.ok) setText(answer.value.text)
  }
  const copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setStatus('logCopied')
    } catch {
      setStatus('logNotCopied')
    }
  }
  return (
    <>
      <SettingRow title={t('log')} hint={t('logHint')}>
        <span role="status">{status === undefined ? null : t(status)}</span>
        {text === undefined || text === '' ? null : (
          <Button icon="copy" onClick={() => void copy(text)}>
            {t('logCopy')}
          </Button>
        )}
        <Button onClick={() => void ask()}>{t(text === undefined ? 'logShow' : 'logAgain')}</Button>
      </SettingRow>
      {text === undefined ? null : text === '' ? (
        <p role="status">{t('logEmpty')}</p>
      ) : (
        // Focusable, so that it can be scrolled by keyboard; starts at the newest line.
        <pre ref={toEnd} className={tablesStyles['log']} role="group" aria-label={t('log')} tabIndex={0} dir="ltr">
          {text}
        </pre>
      )}
    </>
  )
}

function toEnd(element: HTMLElement | null): void {
  if (element) element.scrollTop = element.scrollHeight
}

type Figures = { readonly figures: Diagnostics }

/** Response times by operation, the most frequent first. */
function ResponseTimes({ figures }: Figures) {
  const t = useTexts('preferences')
  const { number } = useFormats()
  const millis = (ms: number): string => t('advanced.millis', { ms: number(Math.round(ms)) })
  return (
    <Table
      id="speed"
      title={t('advanced.speed')}
      none={t('advanced.noCalls')}
      columns={[
        t('advanced.operation'),
        t('advanced.answers'),
        t('advanced.failed'),
        t('advanced.median'),
        t('advanced.most'),
      ]}
      rows={figures.calls
        .toSorted((a, b) => b.answered - a.answered)
        .map(({ operation, answered, failed, p50Ms, p95Ms }) => [
          operation,
          number(answered),
          number(failed),
          millis(p50Ms),
          millis(p95Ms),
        ])}
    />
  )
}

/** Failures by class, with their number and when they last occurred. */
function Failures({ figures }: Figures) {
  const t = useTexts('preferences')
  const { number, ago } = useFormats()
  return (
    <Table
      id="failures"
      title={t('advanced.failures')}
      none={t('advanced.noFailures')}
      columns={[t('advanced.failure'), t('advanced.count'), t('advanced.lastSeen')]}
      rows={figures.failures.map(({ name, lastCode, count, lastAt }) => [
        lastCode === undefined || lastCode === name ? name : `${name} (${lastCode})`,
        number(count),
        ago(lastAt, figures.at),
      ])}
    />
  )
}

/** Changes of the connection state, newest first. */
function Changes({ figures }: Figures) {
  const t = useTexts('preferences')
  const { dayAndTime } = useFormats()
  return (
    <Table
      id="changes"
      title={t('advanced.changes')}
      none={t('advanced.noChanges')}
      rows={figures.transitions
        .toReversed()
        .slice(0, 10)
        .map(({ at, state, transport, blocked }) => [
          t(`advanced.states.${state}`),
          [t(`advanced.transport.${transport}`), ...(blocked === undefined ? [] : [`(${blocked})`])].join(' '),
          dayAndTime(at),
        ])}
    />
  )
}

type TableProps = {
  readonly id: string
  readonly title: string
  readonly none: string
  readonly columns?: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

function Table({ id, title, none, columns, rows }: TableProps) {
  return (
    <section aria-labelledby={`figures-${id}`}>
      <h2 id={`figures-${id}`}>{title}</h2>
      {rows.length === 0 ? (
        <p className={tablesStyles['faint']}>{none}</p>
      ) : (
        // May overflow a narrow window: focusable, so that it can be scrolled by keyboard.
        <div className={tablesStyles['scroll']} role="group" aria-labelledby={`figures-${id}`} tabIndex={0}>
          <table className={tablesStyles['table']}>
            {columns === undefined ? null : (
              <thead>
                <tr>
                  {columns.map((column, index) => (
                    <th key={column} scope="col" className={cx(index > 0 && tablesStyles['figure'])}>
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
            )}
            <tbody>
              {rows.map((row) => (
                <tr key={row.join(' ')}>
                  <Cells row={row} />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function Cells({ row: [name, ...figures] }: { readonly row: readonly string[] }): ReactNode {
  return (
    <>
      <th scope="row">{name}</th>
      {figures.map((figure, index) => (
        <td key={`${index} ${figure}`} className={tablesStyles['figure']}>
          {figure}
        </td>
      ))}
    </>
  )
}

/** How long the user waited in this window's browser or app, beside the goals. */
function Speed() {
  const t = useTexts('preferences')
  const [measured, setMeasured] = useState(readSpeed)
  const [isCleared, setCleared] = useState(false)
  const clear = (): void => {
    clearSpeed()
    setMeasured(readSpeed())
    setCleared(true)
  }
  const isEmpty = SPEED_KINDS.every((kind) => (measured[kind] ?? []).length === 0)
  return (
    <section aria-labelledby="speed-felt">
      <h2 id="speed-felt">{t('speed.title')}</h2>
      <p className={tablesStyles['faint']}>{t('speed.hint')}</p>
      <div className={tablesStyles['scroll']} role="group" aria-labelledby="speed-felt" tabIndex={0}>
        <table className={cx(tablesStyles['table'], tablesStyles['speeds'])} aria-labelledby="speed-felt">
          <thead>
            <tr>
              <th scope="col">{t('speed.what')}</th>
              {(['typical', 'slowest', 'goal'] as const).map((column) => (
                <th key={column} scope="col" className={tablesStyles['figure']}>
                  {t(`speed.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {SPEED_KINDS.map((kind) => (
              <SpeedRow key={kind} kind={kind} times={measured[kind] ?? []} />
            ))}
          </tbody>
        </table>
      </div>
      <div className={tablesStyles['clear']}>
        <Button size="small" aria-disabled={isEmpty} onClick={isEmpty ? undefined : clear}>
          {t('speed.clear')}
        </Button>
        <span role="status">{isCleared ? t('speed.cleared') : null}</span>
      </div>
    </section>
  )
}

/** What may help where it is slow. */
const HELP = {
  start: 'start',
  again: 'device',
  first: 'first',
  send: 'device',
  arrive: 'device',
  search: 'search',
} as const satisfies Record<SpeedKind, string>

type RowProps = { readonly kind: SpeedKind; readonly times: readonly number[] }

function SpeedRow({ kind, times }: RowProps) {
  const t = useTexts('preferences')
  const { number } = useFormats()
  const millis = (ms: number): string => t('advanced.millis', { ms: number(Math.round(ms)) })
  const summary = summarizeSpeed(times)
  const goal = SPEED_GOALS[kind]
  const isOver = summary !== undefined && summary.medianMs > goal
  return (
    <tr>
      <th scope="row">
        <span className={tablesStyles['speedName']}>{t(`speed.kinds.${kind}`)}</span>
        <span className={tablesStyles['faint']}>{t(`speed.spans.${kind}`)}</span>
        {summary === undefined ? null : (
          <>
            <Bar goal={goal} {...summary} />
            {isOver ? (
              <>
                <span className={tablesStyles['over']}>{t('speed.over')}</span>
                <span className={tablesStyles['faint']}>{t(`speed.help.${HELP[kind]}`)}</span>
              </>
            ) : (
              <span className={tablesStyles['faint']}>{t('speed.within', { count: summary.count })}</span>
            )}
          </>
        )}
      </th>
      {summary === undefined ? (
        <td colSpan={2} className={tablesStyles['figure']}>
          {t('speed.none')}
        </td>
      ) : (
        <>
          <td className={tablesStyles['figure']}>{millis(summary.medianMs)}</td>
          <td className={tablesStyles['figure']}>{millis(summary.slowestMs)}</td>
        </>
      )}
      <td className={tablesStyles['figure']}>{millis(goal)}</td>
    </tr>
  )
}

type BarProps = { readonly goal: number; readonly medianMs: number; readonly slowestMs: number }

/** The typical time, and thinner up to the slowest; the goal is the mark in the middle. The numbers beside it say the same. */
function Bar({ goal, medianMs, slowestMs }: BarProps) {
  const width = (ms: number): string => `${Math.min(100, (ms / goal) * 50)}%`
  return (
    <span className={tablesStyles['bar']} aria-hidden="true">
      <span className={tablesStyles['slowest']} style={{ inlineSize: width(slowestMs) }} />
      <span
        className={cx(tablesStyles['typical'], medianMs > goal && tablesStyles['slow'])}
        style={{ inlineSize: width(medianMs) }}
      />
    </span>
  )
}

/** Begins to record a problem, and leaves the settings so that it can be done again. */
function ProblemRow() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const language = resolveLanguage(useLanguage(), [])
  const { bridge, own } = useAppServices()
  const recording = useObject(RECORDING)
  const [isStarting, setStarting] = useState(false)
  const record = async (): Promise<void> => {
    setStarting(true)
    const texts = textsIn(await loadTexts(language))
    dispatch(viewLeft())
    recording.begin(recordProblem({ bridge, store, language, texts }))
    announce(t('problem.started'))
  }
  // A window of one conversation has no title strip, where the recording is stopped.
  if (own !== undefined) return null
  return (
    <SettingRow title={t('problem.title')} hint={t('problem.hint')}>
      <Button icon="bug" working={isStarting} onClick={() => void record()}>
        {t('problem.record')}
      </Button>
    </SettingRow>
  )
}

/** All texts, at any depth, without the tags inside them. */
function textsIn(texts: object): string[] {
  return Object.values(texts).flatMap((value: unknown) => {
    if (typeof value === 'string') return [value.replaceAll(/<\/?\w+>/g, '')]
    return typeof value === 'object' && value !== null ? textsIn(value) : []
  })
}
