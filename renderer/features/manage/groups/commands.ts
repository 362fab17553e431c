import type { EngineClient } from '#shared/bridge/index.ts'
import { command } from '../../../store/command.ts'

type Input<Name extends keyof EngineClient['groups']> = Parameters<EngineClient['groups'][Name]>[0]

/** Quiet: errors are shown in place of what was asked for, or in the form that asked. */
const quiet = { quiet: true }

export const loadGroups = command('groups/listed', (input: Input<'list'>, engine) => engine.groups.list(input), quiet)
export const createGroup = command(
  'groups/created',
  (input: Input<'create'>, engine) => engine.groups.create(input),
  quiet,
)
export const changeGroup = command(
  'groups/changed',
  (input: Input<'change'>, engine) => engine.groups.change(input),
  quiet,
)
export const removeGroup = command(
  'groups/removed',
  (input: Input<'remove'>, engine) => engine.groups.remove(input),
  quiet,
)
export const addGroupMembers = command(
  'groups/membersAdded',
  (input: Input<'addMembers'>, engine) => engine.groups.addMembers(input),
  quiet,
)
export const removeGroupMembers = command(
  'groups/membersRemoved',
  (input: Input<'removeMembers'>, engine) => engine.groups.removeMembers(input),
  quiet,
)
