import type { Stop } from '#main/lib/clock.ts'
import type { Db } from './db.ts'

/** Whole microseconds since 1970: the unit of the store. The wire carries RFC 3339 texts. */
export type Micros = number

export const MS = 1_000
export const SECOND = 1_000_000

/** Recently formatted seconds: a response repeats the same times, and formatting a date is slow. */
const secondTexts = new Map<number, string>()
const MAX_CACHED_SECONDS = 4_096

/** `2026-11-21T18:40:01.123456Z`. */
export function toText(at: Micros): string {
  const second = Math.floor(at / SECOND)
  let text = secondTexts.get(second)
  if (text === undefined) {
    text = new Date(second * 1_000).toISOString().slice(0, -'000Z'.length)
    if (secondTexts.size >= MAX_CACHED_SECONDS) secondTexts.clear()
    secondTexts.set(second, text)
  }
  return `${text}${String(at - second * SECOND).padStart(6, '0')}Z`
}

const RFC3339 = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/

/** Reads 0 to 9 fraction digits; `undefined` for anything that is not a time. */
export function fromText(text: unknown): Micros | undefined {
  const match = typeof text === 'string' ? RFC3339.exec(text) : null
  if (!match) return undefined
  const [, day, clock, fraction = '', zone] = match
  const whole = Date.parse(`${day}T${clock}${zone?.toUpperCase()}`)
  if (Number.isNaN(whole)) return undefined
  return whole * MS + Number(fraction.padEnd(6, '0').slice(0, 6))
}

/** A time a client may leave out: absent, null, empty and year 1 all mean "none". */
export function optionalTime(value: unknown): Micros | undefined {
  const at = fromText(value)
  return at === undefined || at < 0 ? undefined : at
}

/** What of the timer of a store can be brought forward; see `startDueTimer`. */
const timers = new WeakMap<Db, () => void>()

/** Says how the timer of this store is brought forward, until it ends. */
export function offerWaking(db: Db, wake: () => void): Stop {
  timers.set(db, wake)
  return () => void timers.delete(db)
}

/** What is due is looked at now instead of at the next regular check: something has just become due, or soon will. */
export const wakeDueTimer = (db: Db): void => timers.get(db)?.()
