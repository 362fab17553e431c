import { nanoid } from '@reduxjs/toolkit'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { command, commandFailed } from '../../../store/command.ts'
import type { Thunk } from '../../../store/store.ts'
import { type BansUndo, noticeRaised } from '../../../store/window/notices.ts'

/** Quiet: the dialog shows the error. */
export const muteFor = command(
  'profile/muted',
  ({ target, forMs }: { target: { cid: Cid } | { userId: UserId }; forMs: number | undefined }, engine) => {
    const length = forMs === undefined ? {} : { forMs }
    return 'cid' in target
      ? engine.channels.mute({ cid: target.cid, muted: true, ...length })
      : engine.people.mute({ userId: target.userId, muted: true, ...length })
  },
  { quiet: true },
)
export const report = command(
  'profile/reported',
  ({ target, reason }: { target: { messageId: MessageId } | { userId: UserId }; reason: string }, engine) =>
    'messageId' in target
      ? engine.messages.flag({ messageId: target.messageId, reason })
      : engine.people.flag({ userId: target.userId, reason }),
  { quiet: true },
)
export const unmutePerson = command('profile/unmuted', ({ userId }: { userId: UserId }, engine) =>
  engine.people.mute({ userId, muted: false }),
)
export const blockPerson = command('profile/blocked', (input: { userId: UserId; blocked: boolean }, engine) =>
  engine.people.block(input),
)
export const loadShared = command(
  'profile/sharedAsked',
  (input: { userId: UserId }, engine) => engine.details.shared(input),
  { quiet: true },
)
/** As the value of a choice of places: the whole workspace. */
export const EVERYWHERE = 'everywhere'

/** A ban as the dialog describes it. */
export type BanTerms = {
  /** Absent: the whole workspace. */
  readonly cid?: Cid
  /** Epoch milliseconds; absent: until an unban. */
  readonly until?: number
  readonly reason: string
  readonly shadow: boolean
  readonly messages?: 'soft' | 'pruning' | 'hard'
  readonly future: boolean
}

const ban = command(
  'profile/banned',
  ({ until, ...input }: BanTerms & { readonly userId: UserId }, engine) =>
    engine.moderation.ban({
      ...input,
      // The server counts minutes from when it gets the request.
      forMs: until === undefined ? undefined : Math.max(MINUTE_MS, Math.round(until - Date.now())),
    }),
  { quiet: true },
)
const MINUTE_MS = 60_000

type Refused = { readonly userId: UserId; readonly error: ErrorBody }

/** Bans people one after the other, and offers to undo it. */
export const banPeople =
  (who: readonly UserId[], terms: BanTerms): Thunk<Promise<{ readonly refused: readonly Refused[] }>> =>
  async (dispatch, getState) => {
    const refused: Refused[] = []
    for (const userId of who) {
      const done = await dispatch(ban({ ...terms, userId }))
      if (!done.ok) refused.push({ userId, error: done.error })
    }
    const banned = who.filter((id) => !refused.some(({ userId }) => userId === id))
    const [first] = banned
    if (first !== undefined) {
      const bans = banned.map((userId) => ({ userId, ...terms }))
      const name = cleanName(getState().entities.users[first]?.name ?? first)
      dispatch(bansNoted({ code: 'bans/banned', name, undo: { unbans: true, bans } }))
    }
    return { refused }
  }

export const unban = command('profile/unbanned', (input: { readonly cid?: Cid; readonly userId: UserId }, engine) =>
  engine.moderation.unban(input),
)

/** Takes bans back, or bans again as before. */
export const undoBans =
  ({ unbans, bans }: BansUndo): Thunk<Promise<void>> =>
  async (dispatch) => {
    for (const { userId, cid, until, reason, shadow } of bans) {
      if (unbans) await dispatch(unban({ userId, cid }))
      else {
        const again = await dispatch(ban({ userId, cid, until, reason, shadow, future: false }))
        // No dialog is open that would show it.
        if (!again.ok) dispatch(commandFailed({ type: 'profile/banned', error: again.error }))
      }
    }
  }

/** Says that people were banned or unbanned, with Undo. */
export const bansNoted =
  ({ code, name, undo }: { readonly code: string; readonly name: string; readonly undo: BansUndo }): Thunk<void> =>
  (dispatch) => {
    dispatch(
      noticeRaised({
        id: `local-${nanoid()}`,
        // Not a plural form: in Russian the one of 1 is the one of 21 as well.
        code: undo.bans.length === 1 ? `${code}-one` : code,
        params: { count: undo.bans.length, name },
        type: 'bans:changed',
        severity: 'success',
        createdAt: Date.now(),
        durationMs: UNDO_MS,
        undoBans: undo,
      }),
    )
  }

const UNDO_MS = 8_000
export const loadBans = command(
  'profile/bansAsked',
  (input: { cid: Cid; userId?: UserId }, engine) => engine.moderation.bans(input),
  { quiet: true },
)
