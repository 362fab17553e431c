import type { Managed, PolicyName } from '#shared/domain/desktop/policies.ts'
import { POLICY_NAMES } from './schema.ts'

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
