import { useEffect, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react'
import { parsePastText } from '#shared/rules/reminders/grammar/parse.ts'
import { formatsFor, useFormats, useLanguage, useTexts } from '../../i18n/index.ts'
import { fieldsOf, momentOf } from '../../lib/time/moments.ts'
import type { Since } from '../../store/window/views.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { MomentFields } from '../../ui/Dates/MomentDialog.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Popover } from '../../ui/Popover/Popover.tsx'
import styles from './CatchUp.module.css'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_DAYS = 7
const CLOSE_HOUR = 17
const SATURDAY = 6
/** Two hours each, over a week. */
export const BAR_COUNT = 84
/** How far the slider reaches at most: a fixed time that is older is at its end. */
const MOST_DAYS = 62

const PRESETS = ['today', 'workday', 'week'] as const

/** Epoch milliseconds. A time that moves with the clock is on a full hour, so that it does not change every minute. */
export function sinceTime(since: Since, now: number): number {
  switch (since.kind) {
    case 'at':
      return since.at
    case 'today':
      return new Date(now).setHours(0, 0, 0, 0)
    case 'week':
      return new Date(now).setHours(new Date(now).getHours(), 0, 0, 0) - WEEK_DAYS * DAY_MS
    case 'workday':
      return lastClose(now)
  }
}

/** When the last working day before today ended: on Monday it is Friday at five. */
function lastClose(now: number): number {
  const day = new Date(now)
  do day.setDate(day.getDate() - 1)
  while (day.getDay() === 0 || day.getDay() === SATURDAY)
  return day.setHours(CLOSE_HOUR, 0, 0, 0)
}

/** The oldest time of the slider: a week ago, or a day before an older choice. */
export function sliderStart(at: number, now: number): number {
  const hour = new Date(now).setHours(new Date(now).getHours(), 0, 0, 0)
  const days = Math.ceil((hour - at) / DAY_MS)
  return hour - (days <= WEEK_DAYS ? WEEK_DAYS : Math.min(MOST_DAYS, days + 1)) * DAY_MS
}

type Props = {
  readonly since: Since
  readonly now: number
  /** Messages for each part of the slider; absent while they are loading. */
  readonly bars: readonly number[] | undefined
  /** `moved`: by the slider, whose result is announced. */
  readonly onChange: (since: Since, moved: boolean) => void
}

/** From when: in words, by a preset, or by a slider over the messages of that time. */
export function SinceCard({ since, now, bars, onChange }: Props) {
  const t = useTexts('unread')
  const at = sinceTime(since, now)
  const text = useSinceText()
  const [anchor, setAnchor] = useState<Element>()
  return (
    <section className={styles['since']} aria-label={t('since.title')}>
      <div className={styles['sinceHead']}>
        <button
          type="button"
          className={styles['sinceText']}
          aria-haspopup="dialog"
          aria-expanded={anchor !== undefined}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          {t('since.when', { when: text(at, now) })}
          <Icon name="chevron-down" size={16} />
        </button>
        <div className={styles['presets']} role="group" aria-label={t('since.presets')}>
          {PRESETS.map((kind) => (
            <button
              key={kind}
              type="button"
              className={styles['pill']}
              aria-pressed={since.kind === kind}
              onClick={() => onChange({ kind }, true)}
            >
              {kind === 'workday' ? capitalized(text(sinceTime({ kind }, now), now)) : t(`since.preset.${kind}`)}
            </button>
          ))}
        </div>
      </div>
      <Slider at={at} now={now} bars={bars} onChange={(chosen) => onChange({ kind: 'at', at: chosen }, true)} />
      {anchor === undefined ? null : (
        <SincePopover
          anchor={anchor}
          at={at}
          now={now}
          onClose={() => setAnchor(undefined)}
          onChoose={(chosen) => {
            setAnchor(undefined)
            onChange({ kind: 'at', at: chosen }, true)
          }}
        />
      )}
    </section>
  )
}

const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** `Friday 17:00`, `today 0:00`; beyond a week with the date. */
function useSinceText(): (at: number, now: number) => string {
  const { day, time, weekday } = useFormats()
  return (at, now) => {
    const name = day(at, now)
    // "Today" and "Yesterday" are written as at the beginning of a sentence.
    const isNamedByDistance = now - at < 2 * DAY_MS && name !== day(at, now + WEEK_DAYS * DAY_MS)
    return `${isNamedByDistance && name !== weekday(at) ? name.toLocaleLowerCase() : name} ${time(at)}`
  }
}

type SliderProps = {
  readonly at: number
  readonly now: number
  readonly bars: readonly number[] | undefined
  readonly onChange: (at: number) => void
}

/** In hours. Page Up and Page Down move a day, Home and End to the oldest and the newest time. */
function Slider({ at, now, bars, onChange }: SliderProps) {
  const t = useTexts('unread')
  const text = useSinceText()
  const start = sliderStart(at, now)
  const hours = Math.max(1, Math.floor((now - start) / HOUR_MS))
  const value = Math.min(hours, Math.max(0, Math.round((at - start) / HOUR_MS)))
  const move = (to: number): void => onChange(start + Math.min(hours, Math.max(0, to)) * HOUR_MS)
  const onKeyDown = (event: KeyboardEvent): void => {
    const days = { PageUp: -1, PageDown: 1 }[event.key]
    if (days === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    move(value + days * 24)
  }
  const most = Math.max(1, ...(bars ?? []))
  const chosen = value / hours
  return (
    <div className={styles['timeline']} style={{ '--at': chosen } as CSSProperties}>
      <div className={styles['bars']} aria-hidden="true">
        {(bars ?? Array.from({ length: BAR_COUNT }, () => 0)).map((count, index, all) => (
          <i
            key={index}
            className={index / all.length >= chosen ? styles['on'] : undefined}
            style={{ height: `${Math.round((count / most) * 100)}%` }}
          />
        ))}
      </div>
      <input
        type="range"
        className={styles['slider']}
        min={0}
        max={hours}
        step={1}
        value={value}
        aria-label={t('since.slider')}
        aria-valuetext={t('since.value', { when: text(at, now), count: Math.max(0, Math.round((now - at) / HOUR_MS)) })}
        onKeyDown={onKeyDown}
        onChange={(event) => move(event.currentTarget.valueAsNumber)}
      />
      <Days start={start} now={now} />
    </div>
  )
}

/** The days under the bars, at most eight. */
function Days({ start, now }: { readonly start: number; readonly now: number }) {
  const t = useTexts('unread')
  const { weekdayShort } = useFormats()
  const midnights: number[] = []
  for (
    const day = new Date(new Date(start).setHours(24, 0, 0, 0));
    day.getTime() <= now;
    day.setDate(day.getDate() + 1)
  )
    midnights.push(day.getTime())
  const every = Math.ceil(midnights.length / 8)
  return (
    <div className={styles['days']} aria-hidden="true">
      {midnights
        .filter((_at, index) => (midnights.length - 1 - index) % every === 0)
        .map((at, index, shown) => (
          <span key={at} style={{ insetInlineStart: `${((at - start) / (now - start)) * 100}%` }}>
            {index === shown.length - 1 ? t('since.preset.today') : `${weekdayShort(at)} ${new Date(at).getDate()}`}
          </span>
        ))}
    </div>
  )
}

type PopoverProps = {
  readonly anchor: Element
  readonly at: number
  readonly now: number
  readonly onChoose: (at: number) => void
  readonly onClose: () => void
}

/** In words of any of the three languages, or as a date and time. */
function SincePopover({ anchor, at, now, onChoose, onClose }: PopoverProps) {
  const t = useTexts('unread')
  const { dayAndTime } = useFormats()
  const [words, setWords] = useState('')
  const [fields, setFields] = useState(() => fieldsOf(at))
  const [tried, setTried] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const language = useLanguage()
  const typed = words.trim() === '' ? undefined : parsePastText(words, now, language, formatsFor(language).weekdays[0])
  const byFields = momentOf(fields.date, fields.time)
  const chosen = words.trim() === '' ? byFields : typed
  const problem =
    words.trim() !== '' && typed === undefined
      ? t('since.notUnderstood')
      : chosen === undefined || chosen >= now
        ? t('since.notPast')
        : undefined
  return (
    <Popover label={t('since.title')} anchor={anchor} onClose={onClose}>
      <form
        className={styles['chooser']}
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (chosen !== undefined && problem === undefined) onChoose(chosen)
        }}
      >
        <TextField
          label={t('since.words')}
          value={words}
          ref={field}
          autoComplete="off"
          error={tried && words.trim() !== '' ? problem : undefined}
          hint={typed === undefined ? t('since.examples') : dayAndTime(typed)}
          onChange={(text) => {
            setWords(text)
            const parsed = parsePastText(text, now, language, formatsFor(language).weekdays[0])
            if (parsed !== undefined) setFields(fieldsOf(parsed))
          }}
        />
        <MomentFields
          fields={fields}
          error={tried && words.trim() === '' ? problem : undefined}
          onChange={(changed) => {
            setWords('')
            setFields(changed)
          }}
        />
        <Button type="submit" variant="primary" size="small">
          {t('since.show')}
        </Button>
      </form>
    </Popover>
  )
}
