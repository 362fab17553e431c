import type { Json } from './recorded.ts'

/**
 * Other ways to write the same response. The contract leaves all of these to the server: what is not set may be left
 * out, `null` or empty, keys come in any order, newer servers add fields, times have zones and any number of digits.
 */
export type Form = (value: Json) => Json

type Any = Record<string, unknown>

const isAny = (value: unknown): value is Any => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Each object of a response, from the inside out, with the name of its field. */
function each(value: unknown, change: (whole: Any, name: string) => Any, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => each(item, change, name))
  if (!isAny(value)) return value
  const inner = Object.entries(value).map(([key, part]) => [key, each(part, change, key)])
  return change(Object.fromEntries(inner) as Any, name)
}

const objects =
  (change: (whole: Any, name: string) => Any): Form =>
  (value) =>
    each(value, change) as Json

const entries = (change: (key: string, value: unknown) => readonly (readonly [string, unknown])[]): Form =>
  objects((whole) => Object.fromEntries(Object.entries(whole).flatMap(([key, value]) => change(key, value))))

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isAny(value) && Object.keys(value).length === 0)

/** Maps whose keys come from the caller: no unknown key can appear in them. */
const MAPS: ReadonlySet<string> = new Set([
  'users',
  'result',
  'grants',
  'reaction_groups',
  'reaction_counts',
  'reaction_scores',
  'vote_counts_by_option',
  'latest_votes_by_option',
  'channel_types',
  'teams_role',
])

const UNKNOWN = { zz_new_field: { of: ['a', 'newer', 'server'] }, zz_flag: true, zz_none: null }

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/

const times = (write: (text: string, whole: string, fraction: string) => string): Form =>
  entries((key, value) => {
    const found = typeof value === 'string' ? TIME.exec(value) : null
    return [[key, found ? write(found[0], found[1] ?? '', found[2] ?? '') : value]]
  })

/** Two hours later by a clock two hours ahead. */
const ahead = (whole: string): string => new Date(Date.parse(`${whole}Z`) + 7_200_000).toISOString().slice(0, 19)

export const FORMS: Readonly<Record<string, Form>> = {
  'what is empty is left out': entries((key, value) => (isEmpty(value) ? [] : [[key, value]])),
  'what is empty is null': entries((key, value) => [[key, isEmpty(value) ? null : value]]),
  'false is left out': entries((key, value) => (value === false ? [] : [[key, value]])),
  'keys in another order': objects((whole) => Object.fromEntries(Object.entries(whole).toReversed())),
  'fields of a newer server': objects((whole, name) => (MAPS.has(name) ? whole : { ...whole, ...UNKNOWN })),
  'times with an offset of nothing': times((text) => text.replace('Z', '+00:00')),
  'times of another zone': times((_text, whole, fraction) => `${ahead(whole)}.${fraction.padEnd(3, '0')}+02:00`),
  'times to the nanosecond': times((_text, whole, fraction) => `${whole}.${fraction.padEnd(9, '0')}Z`),
  'times with no more digits than needed': times((_text, whole, fraction) => {
    const digits = fraction.replace(/0+$/, '')
    return digits === '' ? `${whole}Z` : `${whole}.${digits}Z`
  }),
  'sizes as texts': entries((key, value) => [
    [key, key === 'file_size' && typeof value === 'number' ? String(value) : value],
  ]),
  'durations that are missing': entries((key, value) => (key === 'duration' ? [] : [[key, value]])),
}

/** Every key that an object under a name was seen with. */
export function keysByName(values: Iterable<Json>): ReadonlyMap<string, ReadonlySet<string>> {
  const seen = new Map<string, Set<string>>()
  for (const value of values) {
    each(value, (whole, name) => {
      const keys = seen.get(name) ?? new Set()
      seen.set(name, keys)
      for (const key of Object.keys(whole)) keys.add(key)
      return whole
    })
  }
  return seen
}

/** Keys that such an object may have and this one does not are added as `null`. */
export const withNulls = (known: ReadonlyMap<string, ReadonlySet<string>>): Form =>
  objects((whole, name) => {
    if (name === '' || MAPS.has(name)) return whole
    const missing = [...(known.get(name) ?? [])].filter((key) => !Object.hasOwn(whole, key))
    return { ...whole, ...Object.fromEntries(missing.map((key) => [key, null])) }
  })

/** Values that a newer server may use where the contract lists a few. */
const WORDS: ReadonlySet<string> = new Set(['role', 'channel_role', 'status', 'voting_visibility', 'push_provider'])

export const withNewValues: Form = entries((key, value) => [
  [key, WORDS.has(key) && typeof value === 'string' ? `zz_${value}` : value],
])

/** Every list is empty, and has a cursor to more of it. */
export const withEmptyPages: Form = (value) => {
  const lists = Object.entries(value).filter(([, part]) => Array.isArray(part))
  return lists.length === 0 ? value : { ...value, ...Object.fromEntries(lists.map(([key]) => [key, []])), next: 'on' }
}

/** What a field of a newer server leaves behind is not a difference. */
export function withoutUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnknown)
  if (!isAny(value)) return value
  const known = Object.entries(value).filter(([key, part]) => !key.startsWith('zz_') && part !== undefined)
  return Object.fromEntries(known.map(([key, part]) => [key, withoutUnknown(part)]))
}
