import * as v from 'valibot'
import { isBlank } from '#shared/lib/clean-text.ts'
import { fromText, optionalTime, type Micros } from '../time.ts'
import { isYearOne, withoutUnset, type Shape } from './absent.ts'
import { isObject, type Json } from './json.ts'
import { refuse } from './refusal.ts'

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
