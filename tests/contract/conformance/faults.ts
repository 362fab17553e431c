import * as v from 'valibot'
import { RFC3339 } from './shapes.ts'

/** What is wrong with a value, one line per fault; empty when it is right. */
export function faultsOf(schema: v.GenericSchema, value: unknown): string[] {
  const result = v.safeParse(schema, value)
  if (result.success) return []
  return result.issues.map((issue) => `${v.getDotPath(issue) ?? '(whole)'}: ${issue.message}`)
}

const TIME_KEY = /(?:_at|_expires|_before)$|^(?:expires|last_read|last_active|remind_at|stop_at|scheduled_for)$/

/** Texts in fields of a time that are not times, at any depth. Custom data is the client's own. */
export function badTimes(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = `${path}.${key}`
    if (typeof inner === 'string' && TIME_KEY.test(key) && !RFC3339.test(inner)) return [`${here} = ${inner}`]
    return key === 'custom' ? [] : badTimes(inner, here)
  })
}

/** `3.22ms`, `1.2s`. See docs/wire.md 1.4. */
export const DURATION = /^\d+(?:\.\d+)?(?:ns|µs|ms|s|m)$/
