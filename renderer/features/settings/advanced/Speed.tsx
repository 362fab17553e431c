import { useState } from 'react'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import {
  clearSpeed,
  readSpeed,
  SPEED_GOALS,
  SPEED_KINDS,
  type SpeedKind,
  summarizeSpeed,
} from '../../../lib/page/speed.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import styles from './Advanced.module.css'

/** How long the user waited in this window's browser or app, beside the goals. */
export function Speed() {
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
      <p className={styles['faint']}>{t('speed.hint')}</p>
      <div className={styles['scroll']} role="group" aria-labelledby="speed-felt" tabIndex={0}>
        <table className={cx(styles['table'], styles['speeds'])} aria-labelledby="speed-felt">
          <thead>
            <tr>
              <th scope="col">{t('speed.what')}</th>
              {(['typical', 'slowest', 'goal'] as const).map((column) => (
                <th key={column} scope="col" className={styles['figure']}>
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
      <div className={styles['clear']}>
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
        <span className={styles['speedName']}>{t(`speed.kinds.${kind}`)}</span>
        <span className={styles['faint']}>{t(`speed.spans.${kind}`)}</span>
        {summary === undefined ? null : (
          <>
            <Bar goal={goal} {...summary} />
            {isOver ? (
              <>
                <span className={styles['over']}>{t('speed.over')}</span>
                <span className={styles['faint']}>{t(`speed.help.${HELP[kind]}`)}</span>
              </>
            ) : (
              <span className={styles['faint']}>{t('speed.within', { count: summary.count })}</span>
            )}
          </>
        )}
      </th>
      {summary === undefined ? (
        <td colSpan={2} className={styles['figure']}>
          {t('speed.none')}
        </td>
      ) : (
        <>
          <td className={styles['figure']}>{millis(summary.medianMs)}</td>
          <td className={styles['figure']}>{millis(summary.slowestMs)}</td>
        </>
      )}
      <td className={styles['figure']}>{millis(goal)}</td>
    </tr>
  )
}

type BarProps = { readonly goal: number; readonly medianMs: number; readonly slowestMs: number }

/** The typical time, and thinner up to the slowest; the goal is the mark in the middle. The numbers beside it say the same. */
function Bar({ goal, medianMs, slowestMs }: BarProps) {
  const width = (ms: number): string => `${Math.min(100, (ms / goal) * 50)}%`
  return (
    <span className={styles['bar']} aria-hidden="true">
      <span className={styles['slowest']} style={{ inlineSize: width(slowestMs) }} />
      <span
        className={cx(styles['typical'], medianMs > goal && styles['slow'])}
        style={{ inlineSize: width(medianMs) }}
      />
    </span>
  )
}
