/** Whole microseconds since 1970: what the store holds. The wire carries them as RFC 3339 texts. */
export type Micros = number

export const MS = 1_000
export const SECOND = 1_000_000

/** `2026-11-21T18:40:01.123456Z`. */
export function toText(at: Micros): string {
  const whole = Math.floor(at / MS)
  const rest = String(at - whole * MS).padStart(3, '0')
  return new Date(whole).toISOString().replace('Z', `${rest}Z`)
}

const RFC3339 = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/

/** Reads 0 to 9 fraction digits; `undefined` for what is no time. */
export function fromText(text: unknown): Micros | undefined {
  const match = typeof text === 'string' ? RFC3339.exec(text) : null
  if (!match) return undefined
  const [, day, clock, fraction = '', zone] = match
  const whole = Date.parse(`${day}T${clock}${zone?.toUpperCase()}`)
  if (Number.isNaN(whole)) return undefined
  return whole * MS + Number(fraction.padEnd(6, '0').slice(0, 6))
}

/** A time a client may leave out: absent, null, empty and year 1 all mean "none" (ruling 22). */
export function optionalTime(value: unknown): Micros | undefined {
  const at = fromText(value)
  return at === undefined || at < 0 ? undefined : at
}
