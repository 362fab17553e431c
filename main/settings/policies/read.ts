import * as v from 'valibot'
import type { IgnoredPolicy, Managed, PolicyName, PolicySource } from '#shared/domain/desktop/policies.ts'
import { isPolicyName, POLICIES, POLICY_NAMES } from './schema.ts'

/** The content of a source: its values, or `undefined` if they could not be parsed. */
export type FoundPolicies = { readonly from: string; readonly values: unknown; readonly unreadable?: boolean }

/**
 * Merges the sources, weakest first. An invalid value does not affect the others, and nothing here prevents the app
 * from starting.
 */
export function readPolicies(found: readonly FoundPolicies[]): Managed | undefined {
  if (found.length === 0) return undefined
  const values: Record<string, unknown> = {}
  const origins: Partial<Record<PolicyName, string>> = {}
  const unknown: IgnoredPolicy[] = []
  const refused: IgnoredPolicy[] = []
  for (const { from, values: given } of found) {
    for (const [name, value] of Object.entries(isRecord(given) ? given : {})) {
      if (value === undefined || value === null) continue
      if (!isPolicyName(name)) {
        unknown.push({ name: shortened(name), from })
        continue
      }
      const parsed = v.safeParse(POLICIES[name].schema, value)
      if (parsed.success) {
        values[name] = parsed.output
        origins[name] = from
      } else {
        refused.push({ name, from })
      }
    }
  }
  return { sources: found.map(sourceOf), values, origins, unknown, refused }
}

const sourceOf = ({ from, values, unreadable }: FoundPolicies): PolicySource => {
  if (unreadable === true) return { from, problem: 'unreadable' }
  return isRecord(values) ? { from } : { from, problem: 'not-policies' }
}

/** It is displayed, and its length is arbitrary. */
const shortened = (name: string): string => name.slice(0, 60)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LINE = /^\s+(\S+)\s+(REG_\w+)\s*(.*)$/

/** Parses the output of `reg query KEY` into the types of the policies: a switch is 0 or 1 there. */
export function readRegistryOutput(output: string): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const text of output.split(/\r?\n/)) {
    const [, name, type, written] = LINE.exec(text) ?? []
    if (name !== undefined && type !== undefined) values[name] = valueOf(name, type, written ?? '')
  }
  return values
}

function valueOf(name: string, type: string, written: string): unknown {
  switch (type) {
    case 'REG_DWORD':
    case 'REG_QWORD': {
      const number = Number(written)
      const isSwitch = isPolicyName(name) && POLICIES[name].kind === 'switch'
      return isSwitch && (number === 0 || number === 1) ? number === 1 : number
    }
    case 'REG_MULTI_SZ':
      return written.split(String.raw`\0`).filter((part) => part !== '')
    default:
      return written
  }
}

/** What `--print-policies` prints as JSON. */
type PolicyReport = {
  /** Whether every source and every name in it was understood. */
  readonly understood: boolean
  readonly sources: Managed['sources']
  /** Every policy that exists. `value` null: the user decides. */
  readonly policies: { readonly [Name in PolicyName]?: { readonly value: unknown; readonly from: string | null } }
  readonly unknown: Managed['unknown']
  readonly refused: Managed['refused']
}

const NONE: Managed = { sources: [], values: {}, origins: {}, unknown: [], refused: [] }

/** The policies in effect on this device, for the administrator who set them. */
export function policyReport({ sources, values, origins, unknown, refused }: Managed = NONE): PolicyReport {
  return {
    understood: sources.every(({ problem }) => problem === undefined) && unknown.length + refused.length === 0,
    sources,
    policies: Object.fromEntries(
      POLICY_NAMES.map((name) => [name, { value: values[name] ?? null, from: origins[name] ?? null }]),
    ),
    unknown,
    refused,
  }
}
