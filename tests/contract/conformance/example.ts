import * as v from 'valibot'
import type { Caller, Json } from './foreign.ts'
import type { Stage } from './stage.ts'

/** The values of optional parts of a request: the contract lets clients send all of these. */
export type Kind = 'text' | 'time' | 'flag' | 'number' | 'list' | 'object'

export type Made = {
  readonly as: Caller
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Json
  readonly body?: Json
  readonly form?: FormData
}

/** One request per line of the endpoint table, with what its response must contain. */
export type Example = {
  /** `POST /channels/:type/:id/query` */
  readonly route: string
  /** Prepares what the request needs, again for each call. */
  make(stage: Stage): Promise<Made> | Made
  readonly reply: v.GenericSchema
  /** What a schema cannot express. */
  also?(body: Json, made: Made): void
  /** Optional keys of the body, or of the query where there is no body, by dotted path. */
  readonly optional?: Readonly<Record<string, Kind>>
  /** Where another status than the method's is right: refused by design. */
  readonly refused?: { readonly status: number; readonly code: number }
  /** Run against Parlor's own server only, and why. */
  readonly localOnly?: string
}

/** The response of calls that return nothing but how long they took. */
export const nothing = v.looseObject({})

export const wrapped = (entries: Readonly<Record<string, v.GenericSchema>>): v.GenericSchema =>
  v.looseObject(entries as Record<string, v.GenericSchema>)

/** Maps, filters and custom data: their keys come from the caller, so no unknown key can be added there. */
const CLOSED: ReadonlySet<string> = new Set([
  'filter',
  'Filter',
  'filter_conditions',
  'message_filter_conditions',
  'users',
  'read_by_channel',
  'form_data',
  'custom',
  'grants',
  'config_overrides',
])

const UNKNOWN = { zz_new_field: { of: ['a', 'newer', 'client'] } }

/** The same request as a newer client would send it: with an unknown field at every level. */
export function withUnknown(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withUnknown(item))
  if (typeof value !== 'object' || value === null || CLOSED.has(key)) return value
  const inner = Object.entries(value).map(([name, each]) => [name, withUnknown(each, name)])
  return { ...Object.fromEntries(inner), ...UNKNOWN }
}

const EMPTY: Readonly<Record<Kind, unknown>> = {
  text: '',
  time: '0001-01-01T00:00:00Z',
  flag: null,
  number: null,
  list: [],
  object: null,
}

/** Fills the optional keys that are not given: with `null`, or as Go and Ruby clients send unset fields. */
export function withAbsent(value: Json, optional: Readonly<Record<string, Kind>>, how: 'null' | 'empty'): Json {
  let filled: Json = value
  for (const [path, kind] of Object.entries(optional)) {
    filled = put(filled, path.split('.'), how === 'null' ? null : EMPTY[kind])
  }
  return filled
}

function put(value: unknown, [key = '', ...rest]: readonly string[], what: unknown): Json {
  const whole = value as Json
  if (rest.length === 0) return key in whole ? whole : replaced(whole, key, what)
  const inner = whole[key]
  return typeof inner === 'object' && inner !== null ? replaced(whole, key, put(inner, rest, what)) : whole
}

function replaced(whole: Json, key: string, what: unknown): Json {
  if (!Array.isArray(whole)) return { ...whole, [key]: what }
  return whole.map((item: unknown, place) => (String(place) === key ? what : item)) as unknown as Json
}
