import { isObject, type Json } from '../http/json.ts'

/** A partial update whose keys name whole values. */
type Change = { readonly set: Json; readonly unset: readonly string[] }

export type PartialUpdate = { readonly set?: Json; readonly unset?: readonly string[] }

/** Inherited keys, which a path must not enter. */
const INHERITED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** `a.b` is a path into `a`; other keys are taken as they are. */
function pathOf(key: string): readonly string[] {
  const steps = key.split('.')
  return steps.some((step) => step === '') ? [key] : steps
}

function put(value: unknown, [key = '', ...rest]: readonly string[], inner: unknown): Json {
  const whole = isObject(value) ? value : {}
  return { ...whole, [key]: rest.length === 0 ? inner : put(whole[key], rest, inner) }
}

function without(value: Json, [key = '', ...rest]: readonly string[]): Json {
  if (!Object.hasOwn(value, key)) return value
  const { [key]: inner, ...others } = value
  if (rest.length === 0) return others
  return isObject(inner) ? { ...others, [key]: without(inner, rest) } : value
}

/**
 * Applies a partial update with its dotted paths to the current value and returns it by whole keys, as users, channels,
 * members, messages, threads and polls are changed. A path to a missing key removes nothing.
 */
export function changeOf(current: Json, { set = {}, unset = [] }: PartialUpdate): Change {
  const whole: Record<string, unknown> = {}
  const removed: string[] = []
  const valueOf = (top: string): unknown => (Object.hasOwn(whole, top) ? whole[top] : current[top])
  for (const [key, value] of Object.entries(set)) {
    const [top = key, ...rest] = pathOf(key)
    if (rest.length > 0 && [top, ...rest].some((step) => INHERITED.has(step))) continue
    whole[top] = rest.length === 0 ? value : put(valueOf(top), rest, value)
  }
  for (const key of unset) {
    const [top = key, ...rest] = pathOf(key)
    const inner = valueOf(top)
    if (rest.length === 0 || Object.hasOwn(current, key)) removed.push(key)
    else if (isObject(inner)) whole[top] = without(inner, rest)
  }
  return { set: whole, unset: removed }
}
