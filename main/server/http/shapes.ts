import * as v from 'valibot'
import { fromText, optionalTime } from '../time.ts'
import { isObject, type Json } from './json.ts'
import { refuse } from './refusal.ts'

/** Building blocks for bodies. Absent, `null` and (for texts and times) empty are the same: real clients send all of them. */
const absent = <T>(value: T | null | undefined): T | undefined => value ?? undefined

export const text = (max: number) =>
  v.pipe(v.nullish(v.pipe(v.string(), v.maxLength(max))), v.transform(absent<string>))

/** As {@link text}, with empty as absent: for ids. */
export const idText = (max = 255) =>
  v.pipe(
    text(max),
    v.transform((value) => value || undefined),
  )

export const flag = v.pipe(
  v.nullish(v.union([v.boolean(), v.picklist(['true', 'false'])])),
  v.transform((value) => (value === null || value === undefined ? undefined : value === true || value === 'true')),
)

/** One of these words; empty is absent. */
export const oneOf = <const Word extends string>(words: readonly Word[]) =>
  v.pipe(
    v.nullish(v.union([v.picklist(words), v.literal('')])),
    v.transform((value): Word | undefined => value || undefined),
  )

/** A whole number from 0; over `max` it is refused. Query texts are read too. */
export const whole = (max: number) =>
  v.pipe(
    v.nullish(v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))])),
    v.transform(absent<number>),
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(max))),
  )

/** Microseconds; `null`, empty texts and year-1 dates are absent, other texts that are no time are refused. */
export const time = v.optional(
  v.pipe(
    v.unknown(),
    v.check((value) => typeof value !== 'string' || value.trim() === '' || fromText(value) !== undefined, 'not a date'),
    v.transform(optionalTime),
  ),
)

export const list = <Schema extends v.GenericSchema>(item: Schema, max: number) =>
  v.pipe(v.nullish(v.pipe(v.array(item), v.maxLength(max))), v.transform(absent<v.InferOutput<Schema>[]>))

export const object = v.pipe(
  v.nullish(v.record(v.string(), v.unknown())),
  v.transform((value): Json | undefined => value ?? undefined),
)

export const sort = list(v.object({ field: v.pipe(v.string(), v.maxLength(100)), direction: v.picklist([1, -1]) }), 5)

/** Comma separated or a list. */
export const idList = (max: number) =>
  v.pipe(
    v.nullish(
      v.union([
        v.pipe(
          v.string(),
          v.transform((value) => value.split(',')),
        ),
        v.array(v.string()),
      ]),
    ),
    v.transform((value) => (value ?? []).map((id) => id.trim()).filter((id) => id !== '')),
    v.maxLength(max),
  )

/** Parses or refuses with code 4, naming each field. */
export function read<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value)
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

/** Checks of `custom` keys: what an object may carry beside its known ones. Source: wire contract 6.5 "custom data". */
const MAX_CUSTOM_BYTES = 5 * 1024

export function customOf(input: Json, known: ReadonlySet<string>): Json {
  const custom: Record<string, unknown> = {}
  const nested = input['custom']
  const inner = isObject(nested) ? Object.entries(nested) : []
  const outer = Object.entries(input).filter(([key]) => key !== 'custom')
  // a key with a meaning of its own is no custom one, nested or not: it would stand in for the server's
  for (const [key, value] of [...inner, ...outer]) if (!known.has(key) && key !== '__proto__') custom[key] = value
  if (JSON.stringify(custom).length > MAX_CUSTOM_BYTES) refuse('payloadTooBig', 'custom data is limited to 5 KB')
  return custom
}
