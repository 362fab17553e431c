import { useId, useState, type KeyboardEvent } from 'react'
import { useFormats } from '../../i18n/index.ts'
import { clockOf, minutesOf } from '../../lib/time/moments.ts'
import { FieldFrame } from '../Field/FieldFrame.tsx'
import { readTime } from './typed-dates.ts'
import styles from '../Field/TextField.module.css'

type Props = {
  readonly label: string
  /** `09:30`; empty while what is typed is no time. */
  readonly value: string
  readonly onChange: (value: string) => void
}

const QUARTER = 15
const HOUR = 60
const DAY = 24 * HOUR

/** A time of the day, typed as it is spoken ("9", "9:30", "9:30 pm"); arrows go by quarters, Page Up and Down by hours. */
export function TimeField({ label, value, onChange }: Props) {
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
      <div className={styles['box']}>
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

/** The next quarter, or the same minute of another hour; past midnight it begins again. */
function stepped(key: string, minutes: number): number | undefined {
  const round = (next: number): number => (next + DAY) % DAY
  if (key === 'ArrowUp') return round((Math.floor(minutes / QUARTER) + 1) * QUARTER)
  if (key === 'ArrowDown') return round((Math.ceil(minutes / QUARTER) - 1) * QUARTER)
  if (key === 'PageUp') return round(minutes + HOUR)
  if (key === 'PageDown') return round(minutes - HOUR)
  return undefined
}
