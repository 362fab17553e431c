import { useEffect, useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { loadRoles } from './commands.ts'

const BUILT_IN = ['user', 'moderator', 'admin', 'guest'] as const
type BuiltIn = (typeof BUILT_IN)[number]

const isBuiltIn = (role: string): role is BuiltIn => (BUILT_IN as readonly string[]).includes(role)

/** Roles that people can have: those of the contract, then the server's own. */
export function useRoles(): readonly string[] {
  const dispatch = useAppDispatch()
  const [roles, setRoles] = useState<readonly string[]>(BUILT_IN)
  useEffect(() => {
    let live = true
    const ask = async (): Promise<void> => {
      const loaded = await dispatch(loadRoles())
      if (live && loaded.ok) setRoles([...BUILT_IN, ...loaded.value.filter((role) => !isBuiltIn(role))])
    }
    void ask()
    return () => {
      live = false
    }
  }, [dispatch])
  return roles
}

/** A role in words; the server's own ones have no other name. */
export function useRoleName(): (role: string) => string {
  const t = useTexts('directory')
  return (role) => (isBuiltIn(role) ? t(`roles.${role}`) : role)
}
