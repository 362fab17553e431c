import type { EngineClient } from '#shared/bridge/index.ts'
import type { UserId } from '#shared/lib/brand.ts'
import { command } from '../../../store/command.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useLoaded } from '../loading.ts'
import { useTopic } from '../state.ts'

type Input<Name extends keyof EngineClient['directory']> = Parameters<EngineClient['directory'][Name]>[0]

/** Quiet: errors are shown in place of what was asked for, or in the form that asked. */
const quiet = { quiet: true }

export const loadPeople = command(
  'directory/listed',
  (input: Input<'list'>, engine) => engine.directory.list(input),
  quiet,
)
export const loadPerson = command(
  'directory/personAsked',
  (input: Input<'person'>, engine) => engine.directory.person(input),
  quiet,
)
const loadRoles = command('directory/rolesAsked', (_input: void, engine) => engine.directory.roles(), quiet)
export const createPerson = command(
  'directory/created',
  (input: Input<'create'>, engine) => engine.directory.create(input),
  quiet,
)
export const changePerson = command(
  'directory/changed',
  (input: Input<'change'>, engine) => engine.directory.change(input),
  quiet,
)
export const changeRole = command(
  'directory/roleChanged',
  (input: Input<'changeRole'>, engine) => engine.directory.changeRole(input),
  quiet,
)
export const deactivatePeople = command(
  'directory/deactivated',
  (input: Input<'deactivate'>, engine) => engine.directory.deactivate(input),
  quiet,
)
export const reactivatePeople = command(
  'directory/reactivated',
  (input: Input<'reactivate'>, engine) => engine.directory.reactivate(input),
  quiet,
)
export const deletePeople = command(
  'directory/deleted',
  (input: Input<'remove'>, engine) => engine.directory.remove(input),
  quiet,
)
export const restorePeople = command('directory/restored', (input: Input<'restore'>, engine) =>
  engine.directory.restore(input),
)
export const signOutPerson = command(
  'directory/signedOut',
  (input: Input<'signOut'>, engine) => engine.directory.signOut(input),
  quiet,
)
export const issueToken = command(
  'directory/tokenIssued',
  (input: Input<'issueToken'>, engine) => engine.directory.issueToken(input),
  quiet,
)
export const exportPerson = command(
  'directory/exported',
  (input: { readonly userId: UserId }, engine) => engine.data.exportPerson(input),
  quiet,
)
export const showExported = command('directory/exportedShown', (_input: void, engine) =>
  engine.data.showFolder({ which: 'exported' }),
)

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
