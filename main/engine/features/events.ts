import type { WireEventType } from '#shared/wire/events.ts'
import type { Appliers } from '../sync/appliers.ts'
import { assistantEvents } from './assistants/events.ts'
import { channelEvents } from './channels/events.ts'
import { draftEvents } from './drafts/events.ts'
import { emojiEvents } from './emoji/events.ts'
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
  ...assistantEvents,
  ...channelEvents,
  ...draftEvents,
  ...emojiEvents,
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
  'channel.muted': 'what is muted comes with notification.channel_mutes_updated',
  'channel.unmuted': 'what is muted comes with notification.channel_mutes_updated',
  'user.muted': 'who is muted comes with notification.mutes_updated',
  'user_group.created': 'nothing of groups is kept here: they are asked for when they are shown',
  'user_group.updated': 'nothing of groups is kept here: they are asked for when they are shown',
  'user_group.deleted': 'nothing of groups is kept here: they are asked for when they are shown',
  'user_group.member_added': 'nothing of groups is kept here: they are asked for when they are shown',
  'user_group.member_removed': 'nothing of groups is kept here: they are asked for when they are shown',
  'ai_indicator.stop': 'a request to an assistant',
}
