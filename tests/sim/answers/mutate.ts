import type { Ids } from '#main/lib/ids.ts'

/** Values that no contract allows in a response. */
type Json = unknown
type Change = (value: Json, ids: Ids) => Json

/** A new one each time: the next change may be made inside it. */
function deep(): Json {
  let value: Json = 1
  for (let depth = 0; depth < 3_000; depth += 1) value = depth % 2 === 0 ? [value] : { in: value }
  return value
}
const TEXTS = [
  '',
  ' ',
  'null',
  '\u0000',
  '\uD800',
  '\u202Eabc\u202C',
  'e\u0301'.repeat(500),
  '👩‍👩‍👧‍👦'.repeat(200),
  '__proto__',
  'constructor',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2026-02-30T25:61:61Z',
  'javascript:alert(1)',
  'team:general',
  '../../etc',
]
const NUMBERS = [0, -1, 1.5, 1e308, -1e308, 2 ** 53, -(2 ** 53), 2 ** 31, 5e-324, 1e21]

const CHANGES: readonly Change[] = [
  () => null,
  () => undefined,
  (_value, ids) => pick(TEXTS, ids),
  (_value, ids) => pick(NUMBERS, ids),
  (_value, ids) => ids.random() < 0.5,
  () => [],
  () => ({}),
  () => [null, 1, 'x', [], {}],
  (value) => [value],
  (value) => ({ value }),
  (value) => (Array.isArray(value) ? [...value, ...value] : JSON.stringify(value)),
  (value) => (Array.isArray(value) ? value.toReversed() : 'x'.repeat(200_000)),
  () => deep(),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":2,"length":-1}') as Json,
  () => Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`key${index}`, index])),
]

const pick = <T>(list: readonly T[], ids: Ids): T => list[Math.floor(ids.random() * list.length)] as T
const isBranch = (value: Json): value is Record<string, Json> => typeof value === 'object' && value !== null

/** The same value with one to three places changed; the original stays as it is. */
export function mutated(value: Json, ids: Ids): Json {
  const copy = structuredClone(value)
  const holder = { value: copy }
  for (let count = 1 + Math.floor(ids.random() * 3); count > 0; count -= 1) changeOne(holder, ids)
  return holder.value
}

/** Walks down at random and changes the value it reaches; the deeper it is, the likelier it stops. */
function changeOne(holder: Record<string, Json>, ids: Ids): void {
  let at = holder
  let key = 'value'
  for (let depth = 0; depth < 8; depth += 1) {
    const next = at[key]
    const keys = isBranch(next) ? Object.keys(next) : []
    if (!isBranch(next) || keys.length === 0 || ids.random() < 0.12) break
    at = next
    key = pick(keys, ids)
  }
  const made = pick(CHANGES, ids)(at[key], ids)
  if (made === undefined && at !== holder) delete at[key]
  else at[key] = made
}
