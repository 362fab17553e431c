import type { NotificationChoices, NotifyCause, OwnSound, SoundName } from '#shared/domain/notification.ts'

/** The sound of a message with this cause; direct messages, mentions and keywords have their own. */
export const soundOfMessage = (
  { sounds }: Pick<NotificationChoices, 'sounds'>,
  cause: NotifyCause | undefined,
): SoundName => (cause === undefined || cause === 'channel' || cause === 'thread' ? sounds.message : sounds.meant)

/** A sound that Parlor plays itself; `undefined`: the system's, or none. */
export const ownSound = (sound: SoundName | undefined): OwnSound | undefined =>
  sound === undefined || sound === 'system' || sound === 'none' ? undefined : sound
