import type { Session } from '../../domain/session.ts'

/**
 * Someone with an account. A guest reads what everyone may read; the server keeps nothing of theirs, so that there is
 * nothing they could begin, write, mark or be reminded of. What a channel's own rights say comes on top.
 */
export const canParticipate = ({ guest }: Pick<Session, 'guest'>): boolean => guest !== true

/** What the window of a guest may ask of its engine (`area.call`): reading. */
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
  details: ['about', 'here', 'roster', 'media', 'browse', 'hidden', 'shared'],
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
