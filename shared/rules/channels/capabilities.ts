import type { Channel } from '../../domain/channel.ts'
import type { Message } from '../../domain/message.ts'
import type { UserId } from '../../lib/brand.ts'
import type { Session } from '../../domain/session.ts'

type Rights = Pick<Channel, 'capabilities' | 'config' | 'frozen'>
type Target = Pick<Message, 'userId' | 'type' | 'pollId' | 'location' | 'deletedAt'>

/**
 * Own capabilities list the viewer's rights in a channel. An empty list (not loaded) refuses nothing: the server
 * decides.
 */
export function may(channel: Pick<Channel, 'capabilities'>, capability: string): boolean {
  return channel.capabilities.length === 0 || channel.capabilities.includes(capability)
}

const isLive = (message: Target) => message.type !== 'deleted' && message.deletedAt === undefined

/** A frozen channel accepts nothing new, except from those who may use frozen channels. */
const isOpen = (channel: Rights) => !channel.frozen || channel.capabilities.includes('use-frozen-channel')

export const maySendMessage = (channel: Rights): boolean => isOpen(channel) && may(channel, 'send-message')

export const mayReply = (channel: Rights): boolean =>
  isOpen(channel) && channel.config.replies && may(channel, 'send-reply')

export const maySendPoll = (channel: Rights): boolean =>
  maySendMessage(channel) && channel.config.polls && may(channel, 'send-poll')

export const mayShareLocation = (channel: Rights): boolean =>
  maySendMessage(channel) && channel.config.sharedLocations && may(channel, 'share-location')

export const mayUpload = (channel: Rights): boolean =>
  isOpen(channel) && channel.config.uploads && may(channel, 'upload-file')

/**
 * The user's own message, or with the right to edit others'. Polls and locations are edited elsewhere. See docs/wire.md
 * 7.23.
 */
export function mayEditMessage(channel: Rights, message: Target, me: UserId | undefined): boolean {
  if (!isLive(message) || isForm(message) || !isOpen(channel)) return false
  return mayChange(channel, message, me, 'update')
}

export const mayDeleteMessage = (channel: Rights, message: Target, me: UserId | undefined): boolean =>
  isLive(message) && mayChange(channel, message, me, 'delete')

/** If the channel's rights are not loaded, users can change their own messages. */
function mayChange(
  { capabilities }: Rights,
  { userId }: Target,
  me: UserId | undefined,
  what: 'update' | 'delete',
): boolean {
  if (capabilities.includes(`${what}-any-message`)) return true
  return userId === me && (capabilities.length === 0 || capabilities.includes(`${what}-own-message`))
}

export const mayQuote = (channel: Rights): boolean =>
  isOpen(channel) && channel.config.quotes && (may(channel, 'quote-message') || may(channel, 'send-message'))

export const mayReact = (channel: Rights): boolean =>
  isOpen(channel) && channel.config.reactions && may(channel, 'send-reaction')

export const mayPin = (channel: Rights): boolean => isOpen(channel) && may(channel, 'pin-message')

/** Reports go to the moderators; the user's own messages cannot be reported. */
export const mayReport = (channel: Rights, message: Target, me: UserId | undefined): boolean =>
  message.userId !== me && may(channel, 'flag-message')

/** A poll or a location: created and edited in its own dialog, not in the text field. */
export const isForm = ({ pollId, location }: Pick<Message, 'pollId' | 'location'>): boolean =>
  pollId !== undefined || location !== undefined

/**
 * Whether the user has an account. A guest reads what everyone can read; the server stores nothing for them, so they
 * cannot write, mark, save or be reminded of anything. The channel's own rights apply in addition.
 */
export const canParticipate = ({ guest }: Pick<Session, 'guest'>): boolean => guest !== true

/** The read-only calls that a guest's window can make, by area. */
const BY_AREA: Readonly<Record<string, readonly string[]>> = {
  channels: [
    'open',
    'close',
    'page',
    'reload',
    'openPinned',
    'closePinned',
    'members',
    'people',
    'invites',
    'markRead',
    'whyUnread',
    'unreadPlaces',
  ],
  details: ['about', 'here', 'members', 'media', 'browse', 'hidden', 'shared'],
  drafts: ['history'],
  locations: ['live'],
  messages: ['revisions'],
  outbox: ['open', 'close'],
  people: ['blocked'],
  polls: ['answers', 'voters', 'nonVoters', 'list'],
  reminders: ['open', 'close'],
  search: ['messages', 'names', 'reactions', 'keywords', 'storage'],
  threads: ['open', 'close', 'page', 'openInbox', 'closeInbox', 'pageInbox', 'markRead'],
}

export const READING_CALLS: readonly string[] = Object.entries(BY_AREA).flatMap(([area, names]) =>
  names.map((name) => `${area}.${name}`),
)

const READING: ReadonlySet<string> = new Set(READING_CALLS)

export const isReading = (call: string): boolean => READING.has(call)
