import { command } from '../../../store/command.ts'
import type { EngineClient } from '#shared/bridge/index.ts'

type Input<
  Area extends 'roles' | 'channels',
  Name extends keyof EngineClient[Area],
> = EngineClient[Area][Name] extends (input: infer Given) => unknown ? Given : never

// Quiet: the errors are shown in place.
export const loadRoles = command('roles/asked', (_: void, engine) => engine.roles.list(), { quiet: true })
export const createRole = command(
  'roles/created',
  (input: Input<'roles', 'create'>, engine) => engine.roles.create(input),
  {
    quiet: true,
  },
)
export const findIn = command('roles/found', (input: Input<'roles', 'find'>, engine) => engine.roles.find(input), {
  quiet: true,
})
export const loadStanding = command(
  'roles/standing',
  (input: Input<'roles', 'standing'>, engine) => engine.roles.standing(input),
  { quiet: true },
)
/** Quiet: the question shows a refusal. */
export const removeRole = command(
  'roles/removed',
  (input: Input<'roles', 'remove'>, engine) => engine.roles.remove(input),
  { quiet: true },
)
export const saveRights = command('roles/saved', (input: Input<'roles', 'save'>, engine) => engine.roles.save(input))

export const loadMemberRoles = command('roles/member', (_: void, engine) => engine.channels.memberRoles(), {
  quiet: true,
})
export const assignRole = command(
  'roles/assigned',
  (input: Input<'channels', 'assignRole'>, engine) => engine.channels.assignRole(input),
  { quiet: true },
)
