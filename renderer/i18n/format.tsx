import { formatBytes } from '#shared/lib/byte-size.ts'
import { createContext, useContext, useSyncExternalStore, type ReactNode } from 'react'
import { smallNumber, useLanguage, LanguageContext, useLanguageNow } from './i18n.ts'
import { patternOf, rememberedFormats, writeTime } from './remembered-formats.ts'

/** 15:04 or 3:04 PM. */
type Clock = 'auto' | '12h' | '24h'

/** The first day of the week. */
type WeekStart = 'auto' | 'monday' | 'sunday' | 'saturday'

type Preferences = {
  readonly clock: Clock
  readonly hostClock24h: boolean | undefined
  readonly weekStart: WeekStart
}

let preferences: Preferences = { clock: 'auto', hostClock24h: undefined, weekStart: 'auto' }
const listeners = new Set<() => void>()

/** Called when the settings change; updates every formatted time on screen. */
export function setClock(clock: Clock, hostClock24h: boolean | undefined): void {
  if (preferences.clock === clock && preferences.hostClock24h === hostClock24h) return
  prefer({ ...preferences, clock, hostClock24h })
}

/** Called when the settings change; updates calendars and lists of days. */
export function setWeekStart(weekStart: WeekStart): void {
  if (preferences.weekStart !== weekStart) prefer({ ...preferences, weekStart })
}

function prefer(changed: Preferences): void {
  preferences = changed
  cache.clear()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Largest number on a badge. */
const MOST_COUNTED = 999
/** The Polish and the Russian word for “and” have one letter, which does not end a line. */
const SHORT_AND = /( [iи]) $/u
const DAY_MS = 86_400_000

/** Intl formatters of one language, each created once. All times are epoch milliseconds. */
export type Formats = {
  /** `15:04` */
  readonly time: (at: number) => string
  /** The time in another time zone, `02:00`; where it is another day than here, `Sun 02:00`. `undefined`: no such zone. */
  readonly timeIn: (at: number, timeZone: string) => string | undefined
  /** `Colombia Time`; without a zone: that of this device. `undefined`: no such zone. */
  readonly zone: (at: number, timeZone?: string) => string | undefined
  /** `Saturday, March 7, 2026 at 15:04:09 GMT+1`: for tooltips. */
  readonly full: (at: number) => string
  /** The label of a day divider: today, yesterday, a weekday within the week, else the date. */
  readonly day: (at: number, now: number) => string
  /** `5 October`; of another year `5 October 2025`. */
  readonly date: (at: number, now: number) => string
  /** `November`; of another year `November 2025`. */
  readonly month: (at: number, now: number) => string
  /** `Saturday, 7 March 2026`: of any year, and never "today". */
  readonly fullDate: (at: number) => string
  /** `November 2025`: the heading of a calendar. */
  readonly monthYear: (at: number) => string
  /** `07.03.2026`: for date fields. */
  readonly numericDate: (at: number) => string
  /** The order of the parts in `numericDate`. */
  readonly dateOrder: readonly ('day' | 'month' | 'year')[]
  /** `7.03.2026` */
  readonly shortDate: (at: number) => string
  /** Time today, weekday within a week, short date beyond. For lists. */
  readonly listTime: (at: number, now: number) => string
  /** `Mon, 23 Nov, 10:00`. */
  readonly dayAndTime: (at: number) => string
  /** Only the time for a moment of the same day as `now`. */
  readonly timeOrDay: (at: number, now: number) => string
  /** `Sat 11:56`. */
  readonly weekdayAndTime: (at: number) => string
  /** `Monday`, `Mon`. */
  readonly weekday: (at: number) => string
  readonly weekdayShort: (at: number) => string
  /** The days of a week in their order, 1 is Monday. */
  readonly weekdays: readonly number[]
  /** `5 minutes ago`. A page's clock ticks once a minute: what is newer than its time is now. */
  readonly ago: (at: number, now: number) => string
  readonly number: (value: number) => string
  /** A number on a badge: `999+` from a thousand on. */
  readonly tally: (value: number) => string
  readonly percent: (fraction: number) => string
  /** `8.4 MB` */
  readonly bytes: (bytes: number) => string
  /** `Ola, Jonas and Ewa` */
  readonly list: (names: readonly string[]) => string
  /** Compares names by the rules of this language. */
  readonly compare: (a: string, b: string) => number
  /** After the first screen: creates what most windows use next, and remembers times and days for the next start. */
  readonly remember: () => void
}

/** Cleared when a preference changes. Every component that shows a time needs its formats at each render. */
const cache = new Map<string, Formats>()

/**
 * Formats for a language under the current clock preference, in the user's own variety of it (en-GB, not en) where the
 * system names one; cached, so the identity is stable.
 */
export function formatsFor(language: string, systemLanguages: readonly string[] = navigator.languages): Formats {
  const key = `${language} ${systemLanguages.join(' ')}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const formats = formatsOf(language, systemLanguages)
  cache.set(key, formats)
  return formats
}

function formatsOf(language: string, systemLanguages: readonly string[]): Formats {
  const locale = localeOf(language, systemLanguages)
  const isolated = document.documentElement.dir === 'rtl' ? isolate : asItIs
  const hour12 =
    preferences.clock === 'auto'
      ? preferences.hostClock24h === undefined
        ? undefined
        : !preferences.hostClock24h
      : preferences.clock === '12h'
  return createFormats(locale, { hour12, weekStart: preferences.weekStart, isolated })
}

/**
 * First-strong isolate and its end: in right-to-left text they keep the order of a left-to-right time or size, "7:28 PM",
 * not "PM 7:28". Characters instead of an element, because most of these are part of a sentence.
 */
const isolate = (text: string): string => `\u2068${text}\u2069`
const asItIs = (text: string): string => text

type Choices = {
  readonly hour12: boolean | undefined
  readonly weekStart: WeekStart
  readonly isolated: (text: string) => string
}

/** 1 is Monday. By default English weeks begin on Sunday unless the region differs, Polish and Russian ones on Monday. */
const FIRST_WEEKDAYS: Readonly<Partial<Record<WeekStart, number>>> = { monday: 1, saturday: 6, sunday: 7 }

function weekdaysFrom(weekStart: WeekStart, locale: string): readonly number[] {
  const first = FIRST_WEEKDAYS[weekStart] ?? (new Intl.Locale(locale) as LocaleWithWeek).getWeekInfo().firstDay
  return Array.from({ length: 7 }, (_each, index) => ((first - 1 + index) % 7) + 1)
}

/** Chromium and Node support it; the compiler's type of `Intl.Locale` is older. */
type LocaleWithWeek = Intl.Locale & { getWeekInfo(): { readonly firstDay: number } }

/** The first of the system's locales in this language, else the language alone. */
function localeOf(language: string, systemLanguages: readonly string[]): string {
  return systemLanguages.find((tag) => tag.split('-')[0]?.toLowerCase() === language) ?? language
}

/** For the provider alone; everything else asks {@link useFormats}. */
const useFormatsNow = (language: string): Formats =>
  // The cache returns the same object for the same language and clock, so this is a valid snapshot.
  useSyncExternalStore(subscribe, () => formatsFor(language))

const FormatsContext = createContext<Formats | undefined>(undefined)

/** Formats of the interface language; re-renders when language, clock or week change. */
export function useFormats(): Formats {
  const formats = useContext(FormatsContext)
  const language = useLanguage()
  return formats ?? formatsFor(language)
}

/** Start of the local day, so that two times can be compared by calendar day. */
export function startOfDay(at: number): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

/** Whole calendar days from `at` back to `now`: 0 today, 1 yesterday. Daylight saving safe. */
function daysAgo(at: number, now: number): number {
  return Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS)
}

/** Creating a formatter takes up to a millisecond, and most windows use three: each is created on first use. */
function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

function createFormats(language: string, { hour12, weekStart, isolated }: Choices): Formats {
  const clock = hour12 === undefined ? {} : { hour12 }
  const dates = (options: Intl.DateTimeFormatOptions) => lazily(() => new Intl.DateTimeFormat(language, options))
  const remembered = rememberedFormats(`${language} ${hour12}`)
  const ownTime = lazily(() => clockTime(language, clock))
  const time = lazily(() => {
    const pattern = remembered.clock ?? patternOf(ownTime())
    return (at: number) => (pattern === undefined ? ownTime().format(at) : writeTime(pattern, at))
  })
  const { day, relativeDay, weekday, dayOtherYear } = createDays(language, remembered)
  const weekdayShort = dates({ weekday: 'short' })
  const dayShort = dates({ weekday: 'short', day: 'numeric', month: 'short' })
  const date = dates({ day: 'numeric', month: 'long' })
  const dateAndYear = dates({ day: 'numeric', month: 'long', year: 'numeric' })
  const month = dates({ month: 'long' })
  const monthAndYear = dates({ month: 'long', year: 'numeric' })
  const short = dates({ dateStyle: 'short' })
  const numeric = dates({ day: '2-digit', month: '2-digit', year: 'numeric' })
  const full = dates({ dateStyle: 'full', timeStyle: 'long', ...clock })
  const number = lazily(() => new Intl.NumberFormat(language))
  const written = (value: number): string => smallNumber(value) ?? number().format(value)
  const percent = lazily(() => new Intl.NumberFormat(language, { style: 'percent' }))
  const list = lazily(() => new Intl.ListFormat(language, { type: 'conjunction' }))
  const collator = lazily(() => new Intl.Collator(language, { numeric: true }))
  const weekdays = lazily(() => weekdaysFrom(weekStart, language))
  return {
    time: (at) => isolated(time()(at)),
    ...createZones(language, clock, isolated),
    full: (at) => isolated(full().format(at)),
    day,
    date: (at, now) => {
      const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
      return (sameYear ? date() : dateAndYear()).format(at)
    },
    month: (at, now) => {
      const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
      return capitalised((sameYear ? month() : monthAndYear()).format(at), language)
    },
    fullDate: (at) => capitalised(dayOtherYear().format(at), language),
    monthYear: (at) => capitalised(monthAndYear().format(at), language),
    numericDate: (at) => numeric().format(at),
    get dateOrder() {
      return numeric()
        .formatToParts(0)
        .flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []))
    },
    shortDate: (at) => isolated(short().format(at)),
    listTime: (at, now) => {
      const ago = daysAgo(at, now)
      return isolated(ago === 0 ? time()(at) : ago > 0 && ago < 7 ? weekday().format(at) : short().format(at))
    },
    dayAndTime: (at) => isolated(`${dayShort().format(at)}, ${time()(at)}`),
    timeOrDay: (at, now) =>
      isolated(startOfDay(at) === startOfDay(now) ? time()(at) : `${dayShort().format(at)}, ${time()(at)}`),
    weekdayAndTime: (at) => isolated(`${weekdayShort().format(at)} ${time()(at)}`),
    weekday: (at) => weekday().format(at),
    weekdayShort: (at) => weekdayShort().format(at),
    get weekdays() {
      return weekdays()
    },
    ago: (at, now) => formatRelative(relativeDay(), Math.min(at - now, 0)),
    number: written,
    tally: (value) => (value > MOST_COUNTED ? `${written(MOST_COUNTED)}+` : written(value)),
    percent: (fraction) => percent().format(fraction),
    bytes: (bytes) => isolated(formatBytes(language, bytes)),
    list: (names) =>
      list()
        .formatToParts(names)
        .map(({ type, value }) => (type === 'literal' ? value.replace(SHORT_AND, '$1\u00A0') : value))
        .join(''),
    compare: (a, b) => collator().compare(a, b),
    remember() {
      for (const make of [number, collator, full]) make()
      const now = Date.now()
      for (let at = now; at < now + 7 * DAY_MS; at += DAY_MS)
        for (const later of [0, 1, 2]) day(at, at + later * DAY_MS)
      remembered.store(patternOf(ownTime()))
    },
  }
}

/** The labels of day dividers, and the formats that they share with others. */
function createDays(language: string, remembered: ReturnType<typeof rememberedFormats>) {
  const relativeDay = lazily(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
  const weekday = lazily(() => new Intl.DateTimeFormat(language, { weekday: 'long' }))
  const long = { weekday: 'long', day: 'numeric', month: 'long' } as const
  const dayThisYear = lazily(() => new Intl.DateTimeFormat(language, long))
  const dayOtherYear = lazily(() => new Intl.DateTimeFormat(language, { ...long, year: 'numeric' }))
  const day = (at: number, now: number): string => {
    const ago = daysAgo(at, now)
    const named = (name: string, make: () => string): string =>
      remembered.day(name, () => capitalised(make(), language))
    if (ago === 0 || ago === 1) return named(`ago ${ago}`, () => relativeDay().format(-ago, 'day'))
    const date = new Date(at)
    if (ago > 1 && ago < 7) return named(`weekday ${date.getDay()}`, () => weekday().format(at))
    const [year, otherYear] = [date.getFullYear(), new Date(now).getFullYear() !== date.getFullYear()]
    return named(`${year}-${date.getMonth()}-${date.getDate()}${otherYear ? ' of its year' : ''}`, () =>
      (otherYear ? dayOtherYear() : dayThisYear()).format(at),
    )
  }
  return { day, relativeDay, weekday, dayOtherYear }
}

type ClockOptions = { readonly hour12?: boolean; readonly timeZone?: string }

/** `9:41 AM` but `09:41`: a leading zero belongs to the 24-hour clock only. */
function clockTime(locale: string, clock: ClockOptions): Intl.DateTimeFormat {
  const padded = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', ...clock })
  if (padded.resolvedOptions().hour12 !== true) return padded
  return new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', ...clock })
}

/** The zones of profiles can be invented, but of the real ones there are fewer. */
const MOST_ZONES = 500

function createZones(
  language: string,
  clock: ClockOptions,
  isolated: (text: string) => string,
): Pick<Formats, 'timeIn' | 'zone'> {
  const known = new Map<string, ReturnType<typeof createZone>>()
  const here = lazily(() => new Intl.DateTimeFormat(language, { weekday: 'short' }))
  const zoneOf = (timeZone: string | undefined): ReturnType<typeof createZone> => {
    const key = timeZone ?? ''
    if (!known.has(key)) {
      if (known.size >= MOST_ZONES) known.clear()
      known.set(key, createZone(language, clock, timeZone))
    }
    return known.get(key)
  }
  return {
    timeIn(at, timeZone) {
      const zone = zoneOf(timeZone)
      if (zone === undefined) return undefined
      const day = zone.weekday.format(at)
      const time = zone.time.format(at)
      return isolated(day === here().format(at) ? time : `${day} ${time}`)
    },
    zone: (at, timeZone) =>
      zoneOf(timeZone)
        ?.name.formatToParts(at)
        .find(({ type }) => type === 'timeZoneName')
        // Beside a time the place is enough, as in Russian; Polish puts "time:" before it.
        ?.value.replace(/^czas: /, ''),
  }
}

function createZone(language: string, clock: ClockOptions, timeZone: string | undefined) {
  try {
    return {
      time: clockTime(language, { ...clock, timeZone }),
      weekday: new Intl.DateTimeFormat(language, { weekday: 'short', timeZone }),
      name: new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'shortGeneric' }),
    }
  } catch {
    return undefined
  }
}

function capitalised(text: string, language: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
}

/** The largest unit that fits, never finer than a minute. */
function formatRelative(format: Intl.RelativeTimeFormat, deltaMs: number): string {
  const minutes = Math.round(deltaMs / 60_000)
  // "This minute" is inflected inside a sentence in some languages; "now" is not.
  if (minutes === 0) return format.format(0, 'second')
  if (Math.abs(minutes) < 60) return format.format(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  if (Math.abs(hours) < 24) return format.format(hours, 'hour')
  const days = Math.round(hours / 24)
  if (Math.abs(days) < 30) return format.format(days, 'day')
  const months = Math.round(days / 30)
  return Math.abs(months) < 12 ? format.format(months, 'month') : format.format(Math.round(days / 365), 'year')
}

/** The language and its formats for all that is inside; without it they are read once and are not followed. */
export function I18nProvider({ children }: { readonly children: ReactNode }) {
  const language = useLanguageNow()
  return (
    <LanguageContext value={language}>
      <FormatsContext value={useFormatsNow(language)}>{children}</FormatsContext>
    </LanguageContext>
  )
}
