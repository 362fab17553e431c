import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { useFormats, useLanguage, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { fieldsOf, noonOf, clockOf, minutesOf } from '../../lib/time/moments.ts'
import { Calendar } from './Calendar.tsx'
import { aboutBelow, FieldFrame } from '../Field/TextField.tsx'
import { IconButton } from '../Button/IconButton.tsx'
import { Popover } from '../Popover/Popover.tsx'
import { readDay, readTime } from './typed-dates.ts'
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
