import { isObject, type Json } from '../http/json.ts'

/** A partial update whose keys name whole values. */
type Change = { readonly set: Json; readonly unset: readonly string[] }

export type PartialUpdate = { readonly set?: Json | undefined; readonly unset?: readonly string[] | undefined }

/** Never reached into: every object has these. */
const INHERITED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** `a.b` reaches into `a`; a key that is no path stands for itself. */
function pathOf(key: string): readonly string[] {
  const steps = key.split('.')
  return steps.some((step) => step === '') ? [key] : steps
}

function put(value: unknown, [key = '', ...rest]: readonly string[], what: unknown): Json {
  const whole = isObject(value) ? value : {}
  return { ...whole, [key]: rest.length === 0 ? what : put(whole[key], rest, what) }
}

function without(value: Json, [key = '', ...rest]: readonly string[]): Json {
  if (!Object.hasOwn(value, key)) return value
  const { [key]: inner, ...others } = value
  if (rest.length === 0) return others
  return isObject(inner) ? { ...others, [key]: without(inner, rest) } : value
}

/**
 * What a partial update asks for, with its dotted paths carried out on what is there: users, channels, members,
 * messages, threads and polls are all changed by whole keys then. A path that leads nowhere takes nothing away.
 */
export function changeOf(kept: Json, { set = {}, unset = [] }: PartialUpdate): Change {
  const whole: Record<string, unknown> = {}
  const gone: string[] = []
  const current = (top: string): unknown => (Object.hasOwn(whole, top) ? whole[top] : kept[top])
  for (const [key, value] of Object.entries(set)) {
    const [top = key, ...rest] = pathOf(key)
    if (rest.length > 0 && [top, ...rest].some((step) => INHERITED.has(step))) continue
    whole[top] = rest.length === 0 ? value : put(current(top), rest, value)
  }
  for (const key of unset) {
    const [top = key, ...rest] = pathOf(key)
    const inner = current(top)
    if (rest.length === 0 || Object.hasOwn(kept, key)) gone.push(key)
    else if (isObject(inner)) whole[top] = without(inner, rest)
  }
  return { set: whole, unset: gone }
}
