import { useId, useRef, useState, type KeyboardEvent, useEffect } from 'react'
import { parseReminderText } from '#shared/rules/reminders/grammar/parse.ts'
import { parseDay } from '#shared/rules/search/search-query.ts'
import { useFormats, useLanguage, useTexts, type Formats } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import {
  fieldsOf,
  noonOf,
  clockOf,
  minutesOf,
  dayOf,
  daysFrom,
  monthsFrom,
  weekdayOf,
  weeksOf,
} from '../../lib/time/moments.ts'
import { aboutBelow, FieldFrame } from '../Field/TextField.tsx'
import { IconButton } from '../Button/Button.tsx'
import { Popover } from '../Popover/Popover.tsx'
import styles from './Calendar.module.css'
import field from '../Field/TextField.module.css'

type Props = {
  readonly label: string
  /** `2026-11-24`; empty while the text is not a date. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly min?: string
  readonly max?: string
  readonly error?: string
}

/** A date, typed in digits or words, or selected in a calendar (its button, or arrow down in the field). */
export function DateField({ label, value, onChange, min, max, error }: Props) {
  const t = useTexts('common')
  const formats = useFormats()
  const language = useLanguage()
  const now = useMinute()
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const [anchor, setAnchor] = useState<Element>()
  const box = useRef<HTMLDivElement>(null)
  const shown = value === '' ? '' : formats.numericDate(noonOf(value))
  const type = (text: string): void => {
    const { dateOrder: order, weekdays } = formats
    setTyped(text)
    onChange(readDay(text, { now: Date.now(), language, order, firstWeekday: weekdays[0], min, max }) ?? '')
  }
  const open = (): void => setAnchor(box.current ?? undefined)
  const choose = (day: string): void => {
    setAnchor(undefined)
    setTyped(undefined)
    onChange(day)
  }
  return (
    <FieldFrame id={id} label={label} error={error}>
      <div ref={box} className={cx(field['box'], styles['field'], error !== undefined && field['wrong'])}>
        <input
          id={id}
          value={typed ?? shown}
          autoComplete="off"
          placeholder={formats.numericDate(now)}
          onChange={(event) => type(event.currentTarget.value)}
          onBlur={() => value !== '' && setTyped(undefined)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return
            event.preventDefault()
            open()
          }}
          {...aboutBelow(id, error)}
        />
        <IconButton
          icon="calendar"
          label={value === '' ? t('calendar.choose') : t('calendar.change', { day: formats.fullDate(noonOf(value)) })}
          aria-haspopup="dialog"
          aria-expanded={anchor !== undefined}
          onClick={open}
        />
      </div>
      {anchor === undefined ? null : (
        <Popover label={t('calendar.choose')} anchor={anchor} onClose={() => setAnchor(undefined)}>
          <Calendar
            today={fieldsOf(now).date}
            chosen={value === '' ? undefined : value}
            min={min}
            max={max}
            onChoose={choose}
          />
        </Popover>
      )}
    </FieldFrame>
  )
}

type TimeFieldProps = {
  readonly label: string
  /** `09:30`; empty while the text is not a time. */
  readonly value: string
  readonly onChange: (value: string) => void
}

const QUARTER = 15
const HOUR = 60
const DAY = 24 * HOUR

/** A time of day, typed in any usual form ("9", "9:30", "9:30 pm"); arrows step by 15 minutes, Page Up and Down by hours. */
export function TimeField({ label, value, onChange }: TimeFieldProps) {
  const formats = useFormats()
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const minutes = minutesOf(value)
  const shown = minutes === undefined ? '' : formats.time(new Date(2026, 0, 5, 0, minutes).getTime())
  const set = (next: number | undefined, text?: string): void => {
    setTyped(text)
    onChange(next === undefined ? '' : clockOf(next))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = minutes === undefined ? undefined : stepped(event.key, minutes)
    if (next === undefined) return
    event.preventDefault()
    set(next)
  }
  return (
    <FieldFrame id={id} label={label}>
      <div className={field['box']}>
        <input
          id={id}
          role="spinbutton"
          aria-valuemin={0}
          aria-valuemax={DAY - 1}
          aria-valuenow={minutes}
          aria-valuetext={shown === '' ? undefined : shown}
          value={typed ?? shown}
          autoComplete="off"
          onChange={({ currentTarget }) => set(readTime(currentTarget.value), currentTarget.value)}
          onBlur={() => minutes !== undefined && setTyped(undefined)}
          onKeyDown={onKeyDown}
        />
      </div>
    </FieldFrame>
  )
}

/** The next quarter of an hour, or the same minute of another hour; wraps around at midnight. */
function stepped(key: string, minutes: number): number | undefined {
  const round = (next: number): number => (next + DAY) % DAY
  if (key === 'ArrowUp') return round((Math.floor(minutes / QUARTER) + 1) * QUARTER)
  if (key === 'ArrowDown') return round((Math.ceil(minutes / QUARTER) - 1) * QUARTER)
  if (key === 'PageUp') return round(minutes + HOUR)
  if (key === 'PageDown') return round(minutes - HOUR)
  return undefined
}

type Part = 'day' | 'month' | 'year'

export type Typing = {
  /** Epoch milliseconds. */
  readonly now: number
  readonly language: string
  /** The order of a numeric date. */
  readonly order: readonly Part[]
  /** The first day of the week, 1 is Monday. */
  readonly firstWeekday?: number
  /** The range of possible days, as `2026-11-24`. */
  readonly min?: string
  readonly max?: string
}

/**
 * Parses a typed date, as `2026-11-24`: digits in the order of the language (without a year, the nearest such day
 * that is possible), `2026-11-24` in every language, or words: "today", "yesterday", "in 3 days", "next Friday".
 */
export function readDay(text: string, typing: Typing): string | undefined {
  const label = text.trim()
  if (label === '') return undefined
  const { now, language, firstWeekday } = typing
  const today = fieldsOf(now).date
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  const digits = readDigits(label, typing, today)
  if (digits !== undefined) return digits
  const parsed = parseDay(label, { year, month, day })
  if (parsed !== undefined) return dayOf(parsed.year, parsed.month, parsed.day)
  const at = parseReminderText(label, now, language, firstWeekday)
  return at === undefined ? undefined : fieldsOf(at).date
}

/** `24.11.2026`, `24.11.26`, `24 11`, `11/24`. */
function readDigits(text: string, { order, min = '', max = '9999' }: Typing, today: string): string | undefined {
  const groups = /^(\d{1,2})[./\-\s]+(\d{1,2})(?:[./\-\s]+(\d{4}|\d{2}))?[.\s]*$/.exec(text)?.slice(1)
  if (groups === undefined) return undefined
  const [first, second, typedYear] = groups.map((group) => (group === undefined ? undefined : Number(group)))
  const [day = 0, month = 0] = isMonthFirst(order) ? [second, first] : [first, second]
  if (typedYear !== undefined) return existing(typedYear < 100 ? 2_000 + typedYear : typedYear, month, day)
  const thisYear = Number(today.slice(0, 4))
  const away = (date: string): number => Math.abs(noonOf(date) - noonOf(today))
  return [thisYear - 1, thisYear, thisYear + 1]
    .flatMap((year) => existing(year, month, day) ?? [])
    .filter((date) => date >= min && date <= max)
    .toSorted((a, b) => away(a) - away(b))[0]
}

const isMonthFirst = (order: readonly Part[]): boolean => order.indexOf('month') < order.indexOf('day')

/** Only days that exist: not February 31. */
function existing(year: number, month: number, day: number): string | undefined {
  const date = dayOf(year, month, day)
  const at = noonOf(date)
  return !Number.isNaN(at) && fieldsOf(at).date === date ? date : undefined
}

const TIME = /^(\d{1,2})(?:[:.\s]?(\d{2}))?\s*(?:([ap])\.?\s?m\.?)?$/i

/** Parses a typed time, as minutes after midnight: `9`, `9:30`, `0930`, `9.30`, `9:30 pm`. */
export function readTime(text: string): number | undefined {
  const [, hours, minutes = '0', half] = TIME.exec(text.trim()) ?? []
  if (hours === undefined) return undefined
  const [hour, minute] = [Number(hours), Number(minutes)]
  if (minute > 59) return undefined
  if (half === undefined) return hour > 23 ? undefined : hour * 60 + minute
  if (hour < 1 || hour > 12) return undefined
  return ((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + minute
}

type CalendarProps = {
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
export function Calendar({ today, chosen, min, max, onChoose }: CalendarProps) {
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
