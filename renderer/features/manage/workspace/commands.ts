import { command } from '../../../store/command.ts'
import type { EngineClient } from '#shared/bridge/index.ts'

type Input<Name extends keyof EngineClient['workspace']> = EngineClient['workspace'][Name] extends (
  input: infer Given,
) => unknown
  ? Given
  : never

// Quiet: the errors are shown in place.
const quiet = { quiet: true } as const

export const loadTypes = command('workspace/types', (_: void, engine) => engine.workspace.types(), quiet)
export const createType = command(
  'workspace/typeCreated',
  (input: Input<'createType'>, engine) => engine.workspace.createType(input),
  quiet,
)
export const changeType = command('workspace/typeChanged', (input: Input<'changeType'>, engine) =>
  engine.workspace.changeType(input),
)
export const removeType = command(
  'workspace/typeRemoved',
  (input: Input<'removeType'>, engine) => engine.workspace.removeType(input),
  quiet,
)
export const loadCommands = command('workspace/commands', (_: void, engine) => engine.workspace.commands(), quiet)
export const saveCommand = command(
  'workspace/commandSaved',
  (input: Input<'saveCommand'>, engine) => engine.workspace.saveCommand(input),
  quiet,
)
export const removeCommand = command(
  'workspace/commandRemoved',
  (input: Input<'removeCommand'>, engine) => engine.workspace.removeCommand(input),
  quiet,
)
export const loadPolls = command(
  'workspace/polls',
  (input: Input<'polls'>, engine) => engine.workspace.polls(input),
  quiet,
)
export const closePoll = command('workspace/pollClosed', (input: Input<'closePoll'>, engine) =>
  engine.workspace.closePoll(input),
)
export const removePoll = command(
  'workspace/pollRemoved',
  (input: Input<'removePoll'>, engine) => engine.workspace.removePoll(input),
  quiet,
)
export const loadLimits = command('workspace/limits', (_: void, engine) => engine.workspace.limits(), quiet)
export const changeLimits = command('workspace/limitsChanged', (input: Input<'changeLimits'>, engine) =>
  engine.workspace.changeLimits(input),
)
