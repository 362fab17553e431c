import { command } from '../../store/command.ts'
import type { EngineClient } from '#shared/bridge/index.ts'

type Input<Name extends keyof EngineClient['bans']> = Parameters<EngineClient['bans'][Name]>[0]

/** Quiet: the error is shown in place of the list. */
export const loadBans = command('bans/asked', (input: Input<'list'>, engine) => engine.bans.list(input), {
  quiet: true,
})
export const liftBans = command('bans/lifted', (input: Input<'lift'>, engine) => engine.bans.lift(input))
