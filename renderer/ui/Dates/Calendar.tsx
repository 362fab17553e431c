import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useFormats, useTexts, type Formats } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { daysFrom, monthsFrom, noonOf, weekdayOf, weeksOf } from '../../lib/time/moments.ts'
import { IconButton } from '../Button/IconButton.tsx'
import styles from './Calendar.module.css'

type Props = {
  /** Days are `2026-11-24`. */
  readonly today: string
  readonly chosen: string | undefined
  /** Days before and after these are shown but cannot be selected. */
  readonly min?: string
  readonly max?: string
  readonly onChoose: (day: string) => void
}

/**
 * A month of days with one tab stop: arrows move by day and week, Home and End to the ends of the week, Page Up
 * and Page Down by month, with Shift by year. Source: ARIA practices, date picker dialog.
 */
export function Calendar({ today, chosen, min, max, onChoose }: Props) {
  const t = useTexts('common')
  const formats = useFormats()
  const id = useId()
  const grid = useRef<HTMLDivElement>(null)
  /** The tab stop; it takes the focus unless the month was changed by a button. */
  const [place, setPlace] = useState(() => ({ at: within(chosen ?? today, min, max), takesFocus: true }))
  const { at } = place
  useEffect(() => {
    if (place.takesFocus) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  }, [place])
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = dayAt(event, at, formats.weekdays)
    if (next === undefined) return
    event.preventDefault()
    setPlace({ at: next, takesFocus: true })
  }
  const turn = (months: number) => (): void => setPlace({ at: monthsFrom(at, months), takesFocus: false })
  return (
    <div className={styles['calendar']}>
      <div className={styles['head']}>
        <IconButton icon="chevrons-left" label={t('calendar.yearBefore')} onClick={turn(-12)} />
        <IconButton icon="chevron-left" label={t('calendar.monthBefore')} onClick={turn(-1)} />
        <h3 id={id} className={styles['month']} aria-live="polite">
          {formats.monthYear(noonOf(at))}
        </h3>
        <IconButton icon="chevron-right" label={t('calendar.monthAfter')} onClick={turn(1)} />
        <IconButton icon="chevrons-right" label={t('calendar.yearAfter')} onClick={turn(12)} />
      </div>
      <div ref={grid} role="grid" tabIndex={-1} aria-labelledby={id} onKeyDown={onKeyDown}>
        <Weekdays formats={formats} />
        {weeksOf(at, formats.weekdays).map((week) => (
          <div key={week[0]} role="row" className={styles['week']}>
            {week.map((day) => (
              <Day
                key={day}
                day={day}
                name={formats.fullDate(noonOf(day))}
                isActive={day === at}
                isElsewhere={day.slice(0, 7) !== at.slice(0, 7)}
                isToday={day === today}
                isChosen={day === chosen}
                isShut={within(day, min, max) !== day}
                onChoose={() => onChoose(day)}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

function Weekdays({ formats }: { readonly formats: Formats }) {
  /** A Monday. */
  const monday = noonOf('2026-01-05')
  const at = (weekday: number): number => monday + (weekday - 1) * 86_400_000
  return (
    <div role="row" className={styles['week']}>
      {formats.weekdays.map((weekday) => (
        <span key={weekday} role="columnheader" aria-label={formats.weekday(at(weekday))}>
          {formats.weekdayShort(at(weekday))}
        </span>
      ))}
    </div>
  )
}

type DayProps = {
  readonly day: string
  readonly name: string
  readonly isActive: boolean
  readonly isElsewhere: boolean
  readonly isToday: boolean
  readonly isChosen: boolean
  readonly isShut: boolean
  readonly onChoose: () => void
}

function Day({ day, name, isActive, isElsewhere, isToday, isChosen, isShut, onChoose }: DayProps) {
  return (
    <div role="gridcell" aria-selected={isChosen}>
      <button
        type="button"
        tabIndex={isActive ? 0 : -1}
        aria-label={name}
        aria-current={isToday ? 'date' : undefined}
        aria-disabled={isShut || undefined}
        className={cx(styles['day'], isElsewhere && styles['elsewhere'])}
        onClick={() => isShut || onChoose()}
      >
        {Number(day.slice(8))}
      </button>
    </div>
  )
}

/** The nearest day that can be selected. */
function within(day: string, min = '', max = '9999'): string {
  return day < min ? min : day > max ? max : day
}

/** The day that a key moves to. */
function dayAt({ key, shiftKey }: KeyboardEvent, day: string, weekdays: readonly number[]): string | undefined {
  const step = document.documentElement.dir === 'rtl' ? -1 : 1
  const column = weekdays.indexOf(weekdayOf(day))
  switch (key) {
    case 'ArrowLeft':
      return daysFrom(day, -step)
    case 'ArrowRight':
      return daysFrom(day, step)
    case 'ArrowUp':
      return daysFrom(day, -7)
    case 'ArrowDown':
      return daysFrom(day, 7)
    case 'Home':
      return daysFrom(day, -column)
    case 'End':
      return daysFrom(day, 6 - column)
    case 'PageUp':
      return monthsFrom(day, shiftKey ? -12 : -1)
    case 'PageDown':
      return monthsFrom(day, shiftKey ? 12 : 1)
    default:
      return undefined
  }
}
