import { command } from '../../../store/command.ts'
import type { EngineClient } from '#shared/bridge/index.ts'

type Input<Name extends keyof EngineClient['history']> = Parameters<EngineClient['history'][Name]>[0]

// Quiet: the errors are shown in place.
export const loadHistory = command('history/asked', (input: Input<'list'>, engine) => engine.history.list(input), {
  quiet: true,
})
export const loadVersions = command(
  'history/versions',
  (input: Input<'versions'>, engine) => engine.history.versions(input),
  { quiet: true },
)
export const undoAction = command('history/undone', (input: Input<'undo'>, engine) => engine.history.undo(input))
export const exportHistory = command(
  'history/exported',
  (input: Parameters<EngineClient['data']['exportHistory']>[0], engine) => engine.data.exportHistory(input),
)
export const showFile = command('history/fileShown', (_: void, engine) => engine.data.showFolder({ which: 'exported' }))
