import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { ErrorBody } from './app-error.ts'

/** How often a window may make a call. */
export type RateClass = 'ordinary' | 'heavy' | 'dialog'

/** One call of the user interface to main: the input (checked at run time) and the output (a type). */
type Call<In, Parsed, Out> = {
  readonly input: GenericSchema<In, Parsed>
  readonly rate: RateClass
  readonly out?: Out
}

/**
 * Declares a call: `call<Poll>()(v.object({ name: v.string() }))`.
 * The output type is given, the input type follows from the schema.
 */
export const call =
  <Out>(rate: RateClass = 'ordinary') =>
  <Schema extends GenericSchema>(input: Schema): Call<InferInput<Schema>, InferOutput<Schema>, Out> => ({ input, rate })

type InOf<C> = C extends Call<infer In, infer _Parsed, infer _Out> ? In : never
type ParsedOf<C> = C extends Call<infer _In, infer Parsed, infer _Out> ? Parsed : never
type OutOf<C> = C extends Call<infer _In, infer _Parsed, infer Out> ? Out : never

/** What a caller passes: a schema's input, which is never mutated. */
type Given<T> = T extends string | number | boolean | undefined
  ? T
  : T extends readonly (infer Element)[]
    ? readonly Given<Element>[]
    : { readonly [Key in keyof T]: Given<T[Key]> }

/** The handlers of one area in main: a missing one does not compile. */
export type Handlers<Area, Context> = {
  readonly [Name in keyof Area]: (
    input: ParsedOf<Area[Name]>,
    context: Context,
  ) => OutOf<Area[Name]> | Promise<OutOf<Area[Name]>>
}

/** What the renderer sees for one area. */
export type Client<Area> = {
  readonly [Name in keyof Area]: InOf<Area[Name]> extends undefined
    ? () => Promise<OutOf<Area[Name]>>
    : (input: Given<InOf<Area[Name]>>) => Promise<OutOf<Area[Name]>>
}

/** The result of a call as it crosses the bridge. Never an exception: Electron would flatten it to a message. */
export type Reply = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: ErrorBody }
