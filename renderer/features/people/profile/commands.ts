import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { command } from '../../../store/command.ts'
import type { AppState, Thunk } from '../../../store/store.ts'
import { rememberDone, type Undoable } from '../../../store/window/recent.ts'

/** The mute as it was: with the time that is left of it. */
export function muteBefore(was: { readonly muted?: boolean; readonly mutedUntil?: number } | undefined) {
  const left = was?.mutedUntil === undefined ? undefined : was.mutedUntil - Date.now()
  if (was?.muted !== true || (left !== undefined && left <= 0)) return { muted: false }
  return { muted: true, ...(left === undefined ? {} : { forMs: left }) }
}

/** Mutes a person as before, or not at all. */
export const personUndo = (code: string, userId: UserId, before: AppState): Undoable => ({
  code,
  params: { name: nameOf(before, userId) },
  undo: ({ engine }) => engine.people.mute({ userId, ...muteBefore(before.entities.users[userId]) }),
})

const nameOf = ({ entities }: AppState, userId: UserId): string => cleanName(entities.users[userId]?.name ?? userId)

export const report = command(
  'profile/reported',
  ({ target, reason }: { target: { messageId: MessageId } | { userId: UserId }; reason: string }, engine) =>
    'messageId' in target
      ? engine.messages.flag({ messageId: target.messageId, reason })
      : engine.people.flag({ userId: target.userId, reason }),
  { quiet: true },
)
export const unmutePerson = command(
  'profile/unmuted',
  ({ userId }: { userId: UserId }, engine) => engine.people.mute({ userId, muted: false }),
  { undo: ({ userId }, before) => personUndo('person/unmuted', userId, before) },
)
export const blockPerson = command(
  'profile/blocked',
  (input: { userId: UserId; blocked: boolean }, engine) => engine.people.block(input),
  {
    undo: ({ userId, blocked }, before) => ({
      code: blocked ? 'person/blocked' : 'person/unblocked',
      params: { name: nameOf(before, userId) },
      undo: ({ engine }) => engine.people.block({ userId, blocked: !blocked }),
    }),
  },
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

type Ban = BanTerms & { readonly userId: UserId }

const requestBan = ({ until, ...input }: Ban, engine: EngineClient) =>
  engine.moderation.ban({
    ...input,
    // The server counts minutes from when it gets the request.
    forMs: until === undefined ? undefined : Math.max(MINUTE_MS, Math.round(until - Date.now())),
  })
const ban = command('profile/banned', requestBan, { quiet: true })
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
      const undo: Undoable['undo'] = async ({ engine }) => {
        for (const { userId, cid } of bans) await engine.moderation.unban({ userId, cid })
      }
      dispatch(bansDone({ code: 'bans/banned', name: nameOf(getState(), first), count: bans.length, undo }))
    }
    return { refused }
  }

export const unban = command('profile/unbanned', (input: { readonly cid?: Cid; readonly userId: UserId }, engine) =>
  engine.moderation.unban(input),
)

/** Lists and says that people were unbanned. Undo bans them again as before. */
export const unbansDone = (name: string, bans: readonly Omit<Ban, 'future'>[]): Thunk =>
  bansDone({
    code: 'bans/unbanned',
    name,
    count: bans.length,
    undo: async ({ engine }) => {
      for (const each of bans) await requestBan({ ...each, future: false }, engine)
    },
  })

type BansDone = Pick<Undoable, 'code' | 'undo'> & { readonly name: string; readonly count: number }

const bansDone = ({ code, name, count, undo }: BansDone): Thunk =>
  // Not a plural form: in Russian the one of 1 is the one of 21 as well.
  rememberDone({ code: count === 1 ? `${code}-one` : code, params: { count, name }, noticeMs: UNDO_MS, undo })

const UNDO_MS = 8_000
export const loadBans = command(
  'profile/bansAsked',
  (input: { cid: Cid; userId?: UserId }, engine) => engine.moderation.bans(input),
  { quiet: true },
)
