import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import { command } from '../../../store/command.ts'

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
export const banPerson = command(
  'profile/banned',
  (
    {
      forMs,
      ...input
    }: {
      cid: Cid
      userId: UserId
      forMs: number | undefined
      reason: string
      shadow: boolean
      erase: boolean
    },
    engine,
  ) => engine.moderation.ban({ ...input, forMs }),
  { quiet: true },
)
export const liftBan = command('profile/banLifted', (input: { cid: Cid; userId: UserId }, engine) =>
  engine.moderation.unban(input),
)
export const loadBans = command(
  'profile/bansAsked',
  (input: { cid: Cid; userId?: UserId }, engine) => engine.moderation.bans(input),
  { quiet: true },
)
