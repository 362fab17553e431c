import type { Policies, PolicyName } from '#shared/domain/desktop/policies.ts'
import { useHost } from '../../../store/hooks.ts'

/** What anyone who manages this computer has decided; empty on most computers. */
export const usePolicies = (): Policies => useHost().managed?.values ?? {}

/** This setting is not the person's to change. Being allowed something decides nothing. */
export function useIsManaged(policy: PolicyName): boolean {
  const value = usePolicies()[policy]
  return policy.startsWith('Allow') ? value === false : value !== undefined
}
