import type { EngineClient } from '#shared/bridge/index.ts'
import { command } from '../../../store/command.ts'

type Input<Name extends 'save' | 'remove' | 'saveList' | 'removeList' | 'dryRun'> = Parameters<
  EngineClient['rules'][Name]
>[0]

/** All quiet: the page shows the error where it happened. */
const QUIET = { quiet: true }

export const loadRules = command('rules/asked', (_: void, engine) => engine.rules.list(), QUIET)
export const saveRule = command('rules/saved', (input: Input<'save'>, engine) => engine.rules.save(input), QUIET)
export const removeRule = command(
  'rules/removed',
  (input: Input<'remove'>, engine) => engine.rules.remove(input),
  QUIET,
)
export const saveList = command(
  'rules/listSaved',
  (input: Input<'saveList'>, engine) => engine.rules.saveList(input),
  QUIET,
)
export const removeList = command(
  'rules/listRemoved',
  (input: Input<'removeList'>, engine) => engine.rules.removeList(input),
  QUIET,
)
export const dryRunStep = command('rules/tried', (input: Input<'dryRun'>, engine) => engine.rules.dryRun(input), QUIET)
