import { afterAll, describe, expect, test } from 'vitest'
import { holds, isOptional, type Shape } from '#main/server/http/shapes.ts'
import { isObject, type Json } from '#main/server/http/json.ts'
import type { Route } from '#main/server/http/router.ts'
import { routes } from '#main/server/routes.ts'
import type { Caller, Call } from './in-process.ts'
import { ROWS, type Row } from './matrix/rows.ts'
import { createMatrixWorld, ROLES, routeOf } from './matrix/world.ts'

/**
 * Clients of typed languages send every field of a call, set or not: as an empty text, `null`, the year 1, an empty
 * list or an empty object. Each optional field of each endpoint is sent as all of these, and the response must be as if
 * it were absent. Fields and endpoints come from the schemas that the server itself uses.
 */
const YEAR_ONE = '0001-01-01T00:00:00Z'
const NOTHINGS: readonly (readonly [name: string, value: unknown])[] = [
  ['an empty text', ''],
  ['null', null],
  ['the year 1', YEAR_ONE],
  ['an empty list', []],
  ['an empty object', {}],
]

const world = createMatrixWorld()
afterAll(() => world.close())

type Path = readonly string[]
type Place = 'query' | 'body'

const inner = (shape: Shape): Shape => (shape.wrapped ? inner(shape.wrapped) : shape)

/** Every optional field below a shape, as far as the request or an empty object reaches. */
function fieldsOf(shape: Shape, value: unknown, path: Path = []): { path: Path; field: Shape }[] {
  const here = inner(shape)
  const options = here.options as readonly Shape[] | undefined
  if (options) return options.flatMap((option) => fieldsOf(option, value, path))
  if (here.item) return Array.isArray(value) && value.length > 0 ? fieldsOf(here.item, value[0], [...path, '0']) : []
  if (!here.entries || (value !== undefined && !isObject(value))) return []
  const needsMore = Object.values(here.entries).some((field) => !isOptional(field))
  if (needsMore && value === undefined) return []
  return Object.entries(here.entries).flatMap(([key, field]) => [
    ...(isOptional(field) ? [{ path: [...path, key], field }] : []),
    ...fieldsOf(field, value?.[key], [...path, key]),
  ])
}

const ABSENT = Symbol('absent')

/** The request with another value at a path. */
function put(whole: unknown, [key = '', ...rest]: Path, value: unknown): unknown {
  if (Array.isArray(whole))
    return whole.map((item: unknown, at) => (String(at) === key ? put(item, rest, value) : item))
  const { [key]: old, ...others } = isObject(whole) ? whole : {}
  if (rest.length > 0) return { ...others, [key]: put(old ?? {}, rest, value) }
  return value === ABSENT ? others : { ...others, [key]: value }
}

type Valid = { readonly route: Route; readonly who: Caller; readonly call: Call }

/** A request of the row that succeeds: by the server token for a user, or by a role that may. */
function validOf(row: Row): Valid | undefined {
  const [, marks, call] = row
  const route = routeOf(row)
  const people = ROLES.filter((_role, at) => marks[at] === '.').map((userId): Caller => ({ userId }))
  const callers: readonly Caller[] = [{ userId: 'creator', kind: 'server' }, { userId: '', kind: 'server' }, ...people]
  for (const who of callers) {
    const made = typeof call === 'function' ? call(who.userId || 'creator') : call
    if (world.attempt(route, who, made).code === undefined) return { route, who, call: made }
  }
  return undefined
}

const valid = ROWS.flatMap((row) => validOf(row) ?? [])
const cases = routes.flatMap((route) => {
  const own = valid.filter((each) => each.route === route)
  return (['query', 'body'] as const).flatMap((place): [string, Place, Route, readonly Valid[]][] =>
    route.shapes[place] ? [[`${route.method} ${route.path}, ${place}`, place, route, own]] : [],
  )
})

/** Besides the path, this field names the caller, in every call. */
const CALLER_FIELD: Readonly<Record<Place, string>> = { query: 'user_id', body: '' }

/** A year is a text like any other where any text is allowed, and an empty object may be all a call needs. */
function isMeant(field: Shape, value: unknown, code: number | undefined): boolean {
  if (value === YEAR_ONE) return holds(field, 'text') && code !== -1
  return isObject(value) && holds(field, 'object') && code === undefined
}

/** How many fields were tested, so that a schema that cannot be inspected is noticed. */
let requestCount = 0

describe.each(cases)('%s', (_name, place, route, requests) => {
  test('an optional field that is empty counts as absent', () => {
    const wrong: string[] = []
    const seen = new Set<string>()
    for (const { who, call } of requests) {
      const shape = route.shapes[place] as unknown as Shape
      for (const { path, field } of fieldsOf(shape, call[place] ?? {})) {
        const dotted = path.join('.')
        if (dotted === CALLER_FIELD[place] || seen.has(dotted)) continue
        seen.add(dotted)
        const ask = (value: unknown) => {
          const part = put(call[place] ?? {}, path, value) as Json
          return world.attempt(route, who, { ...call, [place]: part }).code
        }
        const absent = ask(ABSENT)
        for (const [name, value] of NOTHINGS) {
          const code = ask(value)
          requestCount += 1
          if (code === absent || isMeant(field, value, code)) continue
          wrong.push(`${dotted} as ${name}: ${code}, without it ${absent}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})

/** Refused by design, whatever the request. */
const NEVER_ANSWERED = ['POST /messages/:id/translate', 'POST /translate']

test('every endpoint has a request that succeeds', () => {
  const covered = new Set(valid.map(({ route }) => route))
  const missing = routes.filter((route) => !covered.has(route)).map(({ method, path }) => `${method} ${path}`)
  expect(missing.toSorted()).toEqual(NEVER_ANSWERED)
  console.log(`empty values: ${cases.length} schemas, ${requestCount} requests asked`)
})

test('the server logged no failure', () => {
  expect(world.failures).toEqual([])
})
