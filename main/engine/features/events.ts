import type { WireEventType } from '#shared/wire/events.ts'
import type { Appliers } from '../sync/appliers.ts'
import { channelEvents } from './channels/events.ts'
import { draftEvents } from './drafts/events.ts'
import { memberEvents } from './members/events.ts'
import { messageEvents } from './messages/events.ts'
import { pollEvents } from './polls/events.ts'
import { reactionEvents } from './reactions/events.ts'
import { readEvents } from './reads/events.ts'
import { reminderEvents } from './reminders/events.ts'
import { threadEvents } from './threads/events.ts'
import { typingEvents } from './typing/events.ts'
import { userEvents } from './users/events.ts'

/** Every applier of the engine, by the wire's event type. */
export const appliers: Appliers = {
  ...channelEvents,
  ...draftEvents,
  ...memberEvents,
  ...messageEvents,
  ...pollEvents,
  ...reactionEvents,
  ...readEvents,
  ...reminderEvents,
  ...threadEvents,
  ...typingEvents,
  ...userEvents,
}

/** Types the engine lets pass on purpose, each with the reason. A test holds this and the appliers against the union. */
export const ignored: { readonly [Type in WireEventType]?: string } = {
  'health.check': 'kept by main/engine/realtime: it never reaches the cache',
  'channel.created': 'the creator has the answer; members hear notification.added_to_channel',
  'notification.invited': 'invitations come later; until accepted the channel is not listed',
}
