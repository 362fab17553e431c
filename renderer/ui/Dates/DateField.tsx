import { useId, useRef, useState } from 'react'
import { useFormats, useLanguage, useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useMinute } from '../../lib/time/use-minute.ts'
import { fieldsOf, noonOf } from '../../lib/time/moments.ts'
import { Calendar } from './Calendar.tsx'
import { aboutBelow, FieldFrame } from '../Field/FieldFrame.tsx'
import { IconButton } from '../Button/IconButton.tsx'
import { Popover } from '../Popover/Popover.tsx'
import { readDay } from './typed-dates.ts'
import styles from './Calendar.module.css'
import field from '../Field/TextField.module.css'

type Props = {
  readonly label: string
  /** `2026-11-24`; empty while what is typed is no day. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly min?: string
  readonly max?: string
  readonly error?: string
}

/** A day, typed in digits or words, or chosen from a calendar (its button, or arrow down in the field). */
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
