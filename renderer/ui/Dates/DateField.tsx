import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { parseReminderText } from '#shared/rules/reminders/grammar/parse.ts'
import { parseDay } from '#shared/rules/search/search-days.ts'
import { useFormats, useLanguage, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { fieldsOf, noonOf, clockOf, minutesOf, dayOf } from '../../lib/time/moments.ts'
import { aboutBelow, FieldFrame } from '../Field/TextField.tsx'
import { IconButton } from '../Button/IconButton.tsx'
import { Popover } from '../Popover/Popover.tsx'
import { Calendar } from './Calendar.tsx'
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
