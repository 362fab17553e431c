/**
 * How `Intl` writes times of day, and the days that were on screen, remembered for the next start: its first use in a
 * page takes 15 to 30 ms, because it looks for every locale of Chromium, and the first screen would wait for that.
 */

const KEY = 'parlor.formats'
/** So many days are remembered, the last ones shown. */
const MOST_DAYS = 60

type Around = readonly [before: string, between: string, after: string]

/** How a time of day is written: what is around its hour and minute before noon, and after. */
type ClockPattern = {
  /** `3`, not `15`. */
  readonly twelve: boolean
  /** `03`, not `3`. */
  readonly padded: boolean
  readonly morning: Around
  readonly evening: Around
}

type Remembered = {
  /** Another locale, another clock or another Chromium writes differently. */
  readonly of: string
  readonly clock: ClockPattern | undefined
  readonly days: ReadonlyMap<string, string>
}

/** The pattern of a format with hours and minutes; `undefined` if it writes other digits than 0 to 9. */
export function patternOf(format: Intl.DateTimeFormat): ClockPattern | undefined {
  const { hourCycle } = format.resolvedOptions()
  // Not from its parts: they have other spaces than the text.
  const morning = /^(\D*)(0?1)(\D+)02(\D*)$/.exec(format.format(new Date(2001, 0, 1, 1, 2)))
  const evening = /^(\D*)(0?1|13)(\D+)02(\D*)$/.exec(format.format(new Date(2001, 0, 1, 13, 2)))
  if (!morning || !evening || (hourCycle !== 'h12' && hourCycle !== 'h23')) return undefined
  return {
    twelve: hourCycle === 'h12',
    padded: morning[2] === '01',
    morning: around(morning),
    evening: around(evening),
  }
}

const around = ([, before = '', , between = '', after = '']: RegExpExecArray): Around => [before, between, after]

/** The local time of day of a moment. */
export function writeTime({ twelve, padded, morning, evening }: ClockPattern, at: number): string {
  const date = new Date(at)
  const hours = date.getHours()
  const shown = String(twelve ? hours % 12 || 12 : hours)
  const [before, between, after] = hours < 12 ? morning : evening
  return `${before}${padded ? shown.padStart(2, '0') : shown}${between}${String(date.getMinutes()).padStart(2, '0')}${after}`
}

/** Whether a start before this one has left something: then `Intl` is hardly needed before the first screen. */
export const hasRemembered = (): boolean => readStored() !== null

/**
 * The memory of one locale and clock.
 *
 * @param of the locale and clock
 */
export function rememberedFormats(of: string) {
  const key = `${of} ${navigator.userAgent}`
  const stored = decode(readStored())
  const mine = stored?.of === key ? stored : undefined
  const days = new Map(mine?.days)
  return {
    clock: mine?.clock,
    /** The text of a day, made once; the last one asked for is forgotten last. */
    day(name: string, make: () => string): string {
      const text = days.get(name) ?? make()
      days.delete(name)
      days.set(name, text)
      return text
    },
    /** Remembers this clock and the days until the next start. */
    store(clock: ClockPattern | undefined): void {
      try {
        localStorage.setItem(KEY, JSON.stringify({ of: key, clock, days: [...days].slice(-MOST_DAYS) }))
      } catch {
        // Local storage may be full or blocked: then the next start waits for `Intl`.
      }
    },
  }
}

function readStored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

function decode(stored: string | null): Remembered | undefined {
  try {
    const value = JSON.parse(stored ?? 'null') as Partial<Record<'of' | 'clock' | 'days', unknown>> | null
    if (typeof value?.of !== 'string' || !Array.isArray(value.days) || !value.days.every(isPair)) return undefined
    return { of: value.of, clock: isPattern(value.clock) ? value.clock : undefined, days: new Map(value.days) }
  } catch {
    return undefined
  }
}

const areTexts = (value: unknown, count: number): boolean =>
  Array.isArray(value) && value.length === count && value.every((each) => typeof each === 'string')

const isPair = (value: unknown): value is readonly [string, string] => areTexts(value, 2)

function isPattern(value: unknown): value is ClockPattern {
  const { twelve, padded, morning, evening } = (value ?? {}) as Partial<Record<keyof ClockPattern, unknown>>
  return typeof twelve === 'boolean' && typeof padded === 'boolean' && areTexts(morning, 3) && areTexts(evening, 3)
}
