import type { WirePoll } from '#shared/wire/objects.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { accessTo } from '../channels/access.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { messageById } from '../messages/message-table.ts'
import type { Work } from '../work.ts'
import { channelEvent } from '../realtime/emission.ts'
import { emitAbout } from '../messages/message-announce.ts'
import { findMessage, type OpenMessage } from '../messages/message-open.ts'
import { encodePoll, messageOfPoll, optionsOf, pollById, putPoll, votesOf, type PollRow } from './poll-tables.ts'

/** A poll, and the message it is attached to, if any. */
export type OpenPoll = { readonly poll: PollRow; readonly place: OpenMessage | undefined }

/** A poll the user may see: their own, or one on a message they may read. Refuses with code 16 otherwise. */
export function openPoll(work: Work, id: string, who: Identity): OpenPoll {
  const poll = pollById(work.db, id)
  const messageId = poll ? messageOfPoll(work.db, id) : undefined
  const place = messageId === undefined ? undefined : findMessage(work, messageId, who)
  const isSeen = messageId === undefined ? poll?.created_by === who.userId || who.server : place !== undefined
  if (!poll || !isSeen) return refuse('doesNotExist', `poll ${id} does not exist`)
  return { poll, place }
}

/** Allowed for its creator and for users who may change any message. See docs/wire.md 8.12 "edit/close/delete". */
export function mayChange({ poll, place }: OpenPoll, who: Identity): void {
  const any = place?.access.can.has('update-any-message') ?? false
  if (poll.created_by !== who.userId && !any && !who.server) refuse('notAllowed', 'only its creator may change a poll')
}

export function announcePoll(
  work: Work,
  { poll, place }: OpenPoll,
  who: Identity,
  type: 'poll.updated' | 'poll.closed' | 'poll.deleted',
): void {
  if (!place) return
  const event = channelEvent(type, place.access.channel, work.stamp(place.row.cid), {
    poll: pollForMany(work, poll),
    message_id: place.row.id,
    user: work.people(who.userId),
  })
  emitAbout(work, place.row, event, '')
}

/** Closes a poll whose time has come, in its creator's name. */
export function closePoll(work: Work, before: PollRow): void {
  const poll = { ...before, closed: 1, updated_at: work.now }
  putPoll(work.db, poll)
  const who = { userId: poll.created_by, role: 'user', banned: false, server: true, expiresAtMs: undefined }
  const messageId = messageOfPoll(work.db, poll.id)
  const row = messageId === undefined ? undefined : messageById(work.db, messageId)
  const channel = row ? channelByCid(work.db, row.cid) : undefined
  if (!row || !channel || row.deleted_at !== null) return
  announcePoll(work, { poll, place: { row, access: accessTo(work.db, channel, who) } }, who, 'poll.closed')
}

/** With the user's own votes. */
export function pollFor(work: Work, poll: PollRow, who: Identity): WirePoll {
  return encodePoll(poll, { ...parts(work, poll), viewer: who.userId })
}

export function pollForMany(work: Work, poll: PollRow): WirePoll {
  return encodePoll(poll, parts(work, poll))
}

function parts(work: Work, poll: PollRow) {
  return { options: optionsOf(work.db, poll.id), votes: votesOf(work.db, poll.id), user: work.people }
}
