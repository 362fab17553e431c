import type { Session } from '../../domain/session.ts'

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
  polls: ['answers', 'voters', 'nonVoters', 'unvoted'],
  reminders: ['open', 'close'],
  search: ['messages', 'names', 'reactions', 'keywords', 'storage'],
  threads: ['open', 'close', 'page', 'openInbox', 'closeInbox', 'pageInbox', 'markRead'],
}

export const READING_CALLS: readonly string[] = Object.entries(BY_AREA).flatMap(([area, names]) =>
  names.map((name) => `${area}.${name}`),
)

const READING: ReadonlySet<string> = new Set(READING_CALLS)

export const isReading = (call: string): boolean => READING.has(call)
