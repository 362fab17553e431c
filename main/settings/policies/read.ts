import * as v from 'valibot'
import type { Managed, PolicySource } from '#shared/domain/desktop/policies.ts'
import { isPolicyName, POLICIES } from './schema.ts'

/** What a place held: its values, or `undefined` where they could not be made out. */
export type FoundPolicies = { readonly from: string; readonly values: unknown; readonly unreadable?: boolean }

/**
 * Puts together what was found, weakest first. One bad value costs only itself, and nothing here is ever a reason not to
 * start.
 */
export function readPolicies(found: readonly FoundPolicies[]): Managed | undefined {
  if (found.length === 0) return undefined
  const values: Record<string, unknown> = {}
  const unknown = new Set<string>()
  const refused = new Set<string>()
  for (const place of found) {
    for (const [name, value] of Object.entries(isRecord(place.values) ? place.values : {})) {
      if (value === undefined || value === null) continue
      if (!isPolicyName(name)) {
        unknown.add(name)
        continue
      }
      const parsed = v.safeParse(POLICIES[name].schema, value)
      if (parsed.success) values[name] = parsed.output
      else refused.add(name)
    }
  }
  return {
    sources: found.map(sourceOf),
    values,
    unknown: [...unknown].map(shortened),
    refused: [...refused],
  }
}

const sourceOf = ({ from, values, unreadable }: FoundPolicies): PolicySource => {
  if (unreadable === true) return { from, problem: 'unreadable' }
  return isRecord(values) ? { from } : { from, problem: 'not-policies' }
}

/** It is shown to people, and may be anything. */
const shortened = (name: string): string => name.slice(0, 60)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
