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

/**
 * Types that the engine ignores on purpose, each with the reason. A test checks that all types are handled or
 * ignored.
 */
export const ignored: { readonly [Type in WireEventType]?: string } = {
  'health.check': 'handled by main/engine/realtime: it never reaches the cache',
  'channel.created': 'the creator has the response; members receive notification.added_to_channel',
  'channel.muted': 'mutes come with notification.channel_mutes_updated',
  'channel.unmuted': 'mutes come with notification.channel_mutes_updated',
  'user.muted': 'mutes come with notification.mutes_updated',
  'user_group.created': 'groups are not cached: they are fetched when they are shown',
  'user_group.updated': 'groups are not cached: they are fetched when they are shown',
  'user_group.deleted': 'groups are not cached: they are fetched when they are shown',
  'user_group.member_added': 'groups are not cached: they are fetched when they are shown',
  'user_group.member_removed': 'groups are not cached: they are fetched when they are shown',
  'ai_indicator.stop': 'a request to an assistant',
}
