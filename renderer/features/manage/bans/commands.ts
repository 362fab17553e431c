import type { EngineClient } from '#shared/bridge/index.ts'
import type { ListedBan } from '#shared/domain/manage/review.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { command, commandFailed } from '../../../store/command.ts'
import type { Thunk } from '../../../store/store.ts'
import { unbansDone } from '../../people/index.ts'

type Input<Name extends 'list' | 'unban' | 'mutes' | 'unmute'> = Parameters<EngineClient['bans'][Name]>[0]

/** Quiet: the error is shown in place of the list. */
export const loadBans = command('bans/asked', (input: Input<'list'>, engine) => engine.bans.list(input), {
  quiet: true,
})
export const loadMutes = command('bans/mutesAsked', (input: Input<'mutes'>, engine) => engine.bans.mutes(input), {
  quiet: true,
})
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

const unbanAll = command('bans/unbanned', (input: Input<'unban'>, engine) => engine.bans.unban(input))

/** Unbans, with Undo. Resolves with whether the server has answered: it may have refused some. */
export const unban =
  (bans: readonly ListedBan[]): Thunk<Promise<boolean>> =>
  async (dispatch, getState) => {
    const done = await dispatch(unbanAll({ bans: bans.map(({ userId, cid }) => ({ userId, cid })) }))
    if (!done.ok) return false
    const { refused } = done.value
    const [first] = refused
    if (first !== undefined) dispatch(commandFailed({ type: 'bans/unbanned', error: { code: first.code } }))
    // A person may be banned in several places.
    const unbanned = bans.filter(
      ({ userId, cid }) => !refused.some((each) => each.userId === userId && each.cid === cid),
    )
    const [one] = unbanned
    if (one !== undefined) {
      const name = cleanName(getState().entities.users[one.userId]?.name ?? one.userId)
      const again = unbanned.map(({ userId, cid, until, reason = '', shadow }) => ({
        userId,
        cid,
        until,
        reason,
        shadow,
      }))
      dispatch(unbansDone(name, again))
    }
    return true
  }
