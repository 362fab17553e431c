import * as v from 'valibot'
import { isBlank } from '#shared/lib/clean-text.ts'
import { fromText, optionalTime, type Micros } from '../store/time.ts'
import { isObject, type Json } from './json.ts'
import { refuse } from './refusal.ts'

/** The part of a valibot schema that shows which fields an object may leave out, and what they hold. */
export type Shape = {
  readonly type: string
  readonly entries?: Readonly<Record<string, Shape>>
  readonly wrapped?: Shape
  readonly options?: readonly unknown[]
  readonly item?: Shape
  readonly value?: unknown
  readonly pipe?: readonly { readonly type: string }[]
}

const LEAVABLE: ReadonlySet<string> = new Set(['optional', 'nullish', 'exact_optional', 'undefinedable'])

/** A field that may be left out. */
export const isOptional = ({ type }: Shape): boolean => LEAVABLE.has(type)

/** Go's zero time, as its clients write it. */
const YEAR_ONE = /^0001-01-01[Tt ]00:00:00(?:\.0+)?(?:[Zz]|[+-]00:00)$/

const isYearOne = (value: unknown): boolean => typeof value === 'string' && YEAR_ONE.test(value)

type Kind = 'text' | 'list' | 'object'

/** Whether a shape accepts an arbitrary text, a list, or an object. */
export function holds(shape: Shape, kind: Kind): boolean {
  if (shape.wrapped) return holds(shape.wrapped, kind)
  if (shape.options) return shape.options.some((option) => isShape(option) && holds(option, kind))
  if (shape.type === 'unknown' || shape.type === 'any') return true
  if (shape.type === 'string') return kind === 'text' && !shape.pipe?.some(({ type }) => type === 'regex')
  if (shape.type === 'array') return kind === 'list'
  return kind === 'object' && (shape.entries !== undefined || shape.type === 'record')
}

const isShape = (value: unknown): value is Shape => isObject(value) && typeof value['type'] === 'string'

/**
 * Whether a client means "not set" by this: `null` and the empty text, always; the year 1, except where any text is
 * allowed; an empty list where no list, an empty object where no object is expected.
 */
function isUnset(shape: Shape, value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  if (isYearOne(value)) return !holds(shape, 'text')
  if (Array.isArray(value)) return value.length === 0 && !holds(shape, 'list')
  return isObject(value) && Object.keys(value).length === 0 && !acceptsEmpty(shape)
}

/** An object with a required field cannot be empty. */
function acceptsEmpty(shape: Shape): boolean {
  if (shape.wrapped) return acceptsEmpty(shape.wrapped)
  if (shape.options) return shape.options.filter(isShape).some(acceptsEmpty)
  return shape.entries ? Object.values(shape.entries).every(isOptional) : holds(shape, 'object')
}

/**
 * The input without its unset optional fields, at every level: clients of typed languages send all fields of
 * a call, set or not. The input itself is not changed.
 */
function withoutUnset(shape: Shape, value: unknown): unknown {
  if (shape.wrapped) return withoutUnset(shape.wrapped, value)
  if (shape.options) {
    const kind = Array.isArray(value) ? 'list' : 'object'
    const fit = shape.options.filter(isShape).filter((option) => holds(option, kind))
    return fit.reduce((left, option) => withoutUnset(option, left), value)
  }
  if (Array.isArray(value)) {
    const { item } = shape
    return item ? value.map((each) => withoutUnset(item, each)) : value
  }
  if (!isObject(value)) return value
  if (shape.entries) return fieldsOf(shape.entries, value)
  const { value: each } = shape
  if (shape.type !== 'record' || !isShape(each)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutUnset(each, inner)]))
}

function fieldsOf(entries: Readonly<Record<string, Shape>>, value: Readonly<Record<string, unknown>>): object {
  const set: Record<string, unknown> = { ...value }
  for (const [key, shape] of Object.entries(entries)) {
    if (!Object.hasOwn(value, key)) continue
    const left = withoutUnset(shape, value[key])
    if (isOptional(shape) && (isUnset(shape, left) || isBlankName(key, left))) delete set[key]
    else set[key] = left
  }
  return set
}

/** A name without a visible character is not a name. */
const isBlankName = (key: string, value: unknown): boolean =>
  key === 'name' && typeof value === 'string' && isBlank(value)

/** Fields that a call takes in its query as well as in its body: `own` wins, `other` fills its unset fields. */
export function fromEither(
  shape: Shape,
  own: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const missing = Object.entries(shape.entries ?? {}).filter(
    ([key, field]) => Object.hasOwn(other, key) && isUnset(field, own[key]),
  )
  return missing.length === 0 ? own : { ...own, ...Object.fromEntries(missing.map(([key]) => [key, other[key]])) }
}

/**
 * Building blocks for queries and bodies. All of them are optional, and values that mean "not set" (`null`, an empty
 * text, the year 1) are removed before validation: {@link read}.
 */
export const text = (max: number) => v.optional(v.pipe(v.string(), v.maxLength(max)))

/** A name or a line of text that is not blank. */
export const line = (max: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.check((value) => !isBlank(value), 'blank'),
    v.maxLength(max),
  )

/** An id or a name; a year 1 date means "not set". */
export const idText = (max = 255) =>
  v.optional(
    v.pipe(
      v.string(),
      v.maxLength(max),
      v.transform((value): string | undefined => (isYearOne(value) ? undefined : value)),
    ),
  )

export const flag = v.optional(
  v.pipe(
    v.union([v.boolean(), v.picklist(['true', 'false'])]),
    v.transform((value) => value === true || value === 'true'),
  ),
)

export const oneOf = <const Value extends string>(values: readonly Value[]) => v.optional(v.picklist(values))

/** A whole number from 0; over `max` it is refused. Digits in a query count as numbers. */
export const whole = (max: number) =>
  v.optional(
    v.pipe(
      v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))]),
      v.integer(),
      v.minValue(0),
      v.maxValue(max),
    ),
  )

/** Microseconds; a time before 1970 means "not set", and a text that is not a time is refused. */
export const time = v.optional(
  v.pipe(
    v.union([v.string(), v.number()]),
    v.check((value) => typeof value !== 'string' || value.trim() === '' || fromText(value) !== undefined, 'not a date'),
    v.transform((value): Micros | undefined => optionalTime(value)),
  ),
)

export const list = <Schema extends v.GenericSchema>(item: Schema, max: number) =>
  v.optional(v.pipe(v.array(item), v.maxLength(max)))

export const object = v.optional(
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.transform((value): Json => value),
  ),
)

export const sort = list(v.object({ field: v.pipe(v.string(), v.maxLength(100)), direction: v.picklist([1, -1]) }), 5)

/** Comma separated or a list. */
export const idList = (max: number) =>
  v.optional(
    v.pipe(
      v.union([
        v.pipe(
          v.string(),
          v.transform((value) => value.split(',')),
        ),
        v.array(v.string()),
      ]),
      v.transform((value) => value.map((id) => id.trim()).filter((id) => id !== '')),
      v.maxLength(max),
    ),
  )

/** Validates the input without its unset fields; refuses with code 4, naming each invalid field. */
export function read<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, withoutUnset(schema as unknown as Shape, value))
  if (result.success) return result.output
  const fields: Record<string, string> = {}
  for (const issue of result.issues) fields[v.getDotPath(issue) ?? 'body'] = issue.message
  return refuse(
    'input',
    Object.entries(fields)
      .map(([field, why]) => `${field}: ${why}`)
      .join('; '),
    fields,
  )
}

/** Checks of `custom` keys: what an object may carry beside its known ones. See docs/wire.md 6.5 "custom data". */
const MAX_CUSTOM_BYTES = 5 * 1024

export function customOf(input: Json, known: ReadonlySet<string>): Json {
  const custom: Record<string, unknown> = {}
  const nested = input['custom']
  const inner = isObject(nested) ? Object.entries(nested) : []
  const outer = Object.entries(input).filter(([key]) => key !== 'custom')
  // a key that the server uses itself is not a custom one, nested or not: it would replace the server's value
  for (const [key, value] of [...inner, ...outer]) if (!known.has(key) && key !== '__proto__') custom[key] = value
  if (JSON.stringify(custom).length > MAX_CUSTOM_BYTES) refuse('payloadTooBig', 'custom data is limited to 5 KB')
  return custom
}
