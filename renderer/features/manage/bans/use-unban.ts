import type { ListedBan } from '#shared/domain/manage/bans.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { commandFailed } from '../../../store/command.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { bansNoted } from '../../people/index.ts'
import { unbanAll } from './commands.ts'

/** Unbans, with Undo. */
export function useUnban(): (bans: readonly ListedBan[]) => Promise<boolean> {
  const dispatch = useAppDispatch()
  const store = useAppStore()
  return async (bans) => {
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
      const name = cleanName(store.getState().entities.users[one.userId]?.name ?? one.userId)
      dispatch(
        bansNoted({
          code: 'bans/unbanned',
          name,
          undo: {
            unbans: false,
            bans: unbanned.map(({ userId, cid, until, reason = '', shadow }) => ({
              userId,
              cid,
              until,
              reason,
              shadow,
            })),
          },
        }),
      )
    }
    return true
  }
}
