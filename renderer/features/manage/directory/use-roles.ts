import { useTexts } from '../../../i18n/index.ts'
import { useLoaded, useTopic } from '../index.ts'
import { loadRoles } from './commands.ts'

const BUILT_IN = ['user', 'moderator', 'admin', 'guest'] as const
type BuiltIn = (typeof BUILT_IN)[number]

const isBuiltIn = (role: string): role is BuiltIn => (BUILT_IN as readonly string[]).includes(role)

const ROLES = loadRoles()

/** Roles that people can have: those of the contract, then the server's own. */
export function useRoles(): readonly string[] {
  const { value = [] } = useLoaded(ROLES, useTopic('roles'))
  return [...BUILT_IN, ...value.filter((role) => !isBuiltIn(role))]
}

/** A role in words; the server's own ones have no other name. */
export function useRoleName(): (role: string) => string {
  const t = useTexts('directory')
  return (role) => (isBuiltIn(role) ? t(`roles.${role}`) : role)
}
