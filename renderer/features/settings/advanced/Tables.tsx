import type { ReactNode } from 'react'
import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import styles from './Advanced.module.css'

type Figures = { readonly figures: Diagnostics }

/** Response times by operation, the most frequent first. */
export function Speed({ figures }: Figures) {
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
export function Failures({ figures }: Figures) {
  const t = useTexts('preferences')
  const { number, relative } = useFormats()
  return (
    <Table
      id="failures"
      title={t('advanced.failures')}
      none={t('advanced.noFailures')}
      columns={[t('advanced.failure'), t('advanced.count'), t('advanced.lastSeen')]}
      rows={figures.failures.map(({ name, lastCode, count, lastAt }) => [
        lastCode === undefined || lastCode === name ? name : `${name} (${lastCode})`,
        number(count),
        relative(lastAt, figures.at),
      ])}
    />
  )
}

/** Changes of the connection state, newest first. */
export function Changes({ figures }: Figures) {
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
        <p className={styles['faint']}>{none}</p>
      ) : (
        // May overflow a narrow window: focusable, so that it can be scrolled by keyboard.
        <div className={styles['scroll']} role="group" aria-labelledby={`figures-${id}`} tabIndex={0}>
          <table className={styles['table']}>
            {columns === undefined ? null : (
              <thead>
                <tr>
                  {columns.map((column, index) => (
                    <th key={column} scope="col" className={cx(index > 0 && styles['figure'])}>
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
        <td key={`${index} ${figure}`} className={styles['figure']}>
          {figure}
        </td>
      ))}
    </>
  )
}
