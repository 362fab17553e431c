import type { WireEventType } from '#shared/wire/events.ts'

type NounOf<Type extends string> = Type extends `${infer Noun}.${string}` ? Noun : never
/** Assistants are ordinary members, and say themselves what they do. */
type SentByMembers = 'ai_indicator'
/** Events that exist only inside a client. */
type InsideClients =
  'capabilities' | 'channels' | 'connection' | 'live_location_sharing' | 'offline_reactions' | 'transport'

/** Complete: an event with a new noun does not compile until the noun is here. */
const OWN: Readonly<Record<Exclude<NounOf<WireEventType>, SentByMembers> | InsideClients, true>> = {
  app: true,
  capabilities: true,
  channel: true,
  channels: true,
  connection: true,
  draft: true,
  emoji: true,
  health: true,
  live_location_sharing: true,
  member: true,
  message: true,
  moderation: true,
  notification: true,
  offline_reactions: true,
  poll: true,
  reaction: true,
  reminder: true,
  review_queue_item: true,
  thread: true,
  transport: true,
  typing: true,
  user: true,
  user_group: true,
}

/** Whether clients trust such an event to come from the server. See docs/wire.md 1.7, code 18, and chapter 4. */
export function isOwnEvent(type: string): boolean {
  const [noun = '', ...rest] = type.split('.')
  return rest.length > 0 && Object.hasOwn(OWN, noun)
}

/** The largest custom event, as JSON. */
export const MAX_EVENT_BYTES = 5 * 1024
