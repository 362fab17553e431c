import type { Policies, PolicyName } from '#shared/domain/desktop/policies.ts'
import { useHost } from '../../../store/hooks.ts'

/** Administrator policies; empty on most devices. */
export const usePolicies = (): Policies => useHost().managed?.values ?? {}

/** Whether a policy fixes this setting. A policy that only allows something fixes nothing. */
export function useIsManaged(policy: PolicyName): boolean {
  const value = usePolicies()[policy]
  return policy.startsWith('Allow') ? value === false : value !== undefined
}
