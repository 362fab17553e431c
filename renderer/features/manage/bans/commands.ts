import type { EngineClient } from '#shared/bridge/index.ts'
import { command } from '../../../store/command.ts'

type Input<Name extends 'list' | 'unban' | 'mutes' | 'unmute'> = Parameters<EngineClient['bans'][Name]>[0]

/** Quiet: the error is shown in place of the list. */
export const loadBans = command('bans/asked', (input: Input<'list'>, engine) => engine.bans.list(input), {
  quiet: true,
})
export const loadMutes = command('bans/mutesAsked', (input: Input<'mutes'>, engine) => engine.bans.mutes(input), {
  quiet: true,
})
export const unbanAll = command('bans/unbanned', (input: Input<'unban'>, engine) => engine.bans.unban(input))
export const unmute = command('bans/unmuted', (input: Input<'unmute'>, engine) => engine.bans.unmute(input))
/** Quiet: what was refused is said once for all. */
export const changeBan = command(
  'bans/changed',
  (input: Parameters<EngineClient['moderation']['ban']>[0], engine) => engine.moderation.ban(input),
  { quiet: true },
)
export const mutePerson = command('bans/muted', (input: Parameters<EngineClient['people']['mute']>[0], engine) =>
  engine.people.mute(input),
)
