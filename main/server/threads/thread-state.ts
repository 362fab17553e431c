import type { WireThread, WireThreadParticipant, WireThreadState } from '#shared/wire/threads.ts'
import type { Identity } from '../http/auth/identify.ts'
import { encodeMember } from '../channels/encode-channels.ts'
import { bareDraft, draftOf } from '../drafts/draft-table.ts'
import { encodeMessages } from '../messages/load-messages.ts'
import { membersOf } from '../channels/member-table.ts'
import { readPage } from '../messages/message-table.ts'
import { unreadReplies } from './participant-table.ts'
import { countParticipants, endsOfThread, participationsIn, threadDetails, type Participation } from './thread-table.ts'
import { toText } from '../time.ts'
import type { OpenMessage } from '../messages/message-open.ts'
import type { Work } from '../work.ts'
import { channelFor, channelForMany, showsReads } from '../channels/channel-state.ts'
import { messageFor, messageForMany } from '../messages/message-announce.ts'

type Size = { readonly replies: number; readonly participants: number; readonly members?: number }

const MEMBERS_SHOWN = 100

/** A thread as one user sees it, with its newest replies. See docs/wire.md 5.10. */
export function threadFor(work: Work, place: OpenMessage, who: Identity, size: Size): WireThreadState {
  const { row, access } = place
  const scope = { kind: 'replies', key: row.id } as const
  const replies = readPage(
    work.db,
    scope,
    { viewer: who.userId, floor: access.floor },
    'newest',
    undefined,
    size.replies,
  )
  const participants = participationsIn(work.db, row.id, size.participants)
  const draft = draftOf(work.db, who.userId, row.cid, row.id)
  const members = membersOf(work.db, row.cid, size.members ?? MEMBERS_SHOWN).map((each) =>
    encodeMember(each, work.people, access.moderates),
  )
  return {
    ...core(work, place, participants),
    parent_message: messageFor(work, row, who),
    channel: { ...channelFor(work, access), members },
    latest_replies: encodeMessages(work.db, replies, { viewer: who.userId, now: work.now, people: work.people }),
    ...(who.server ? {} : { read: readsOf(work, participants, who) }),
    ...(draft ? { draft: bareDraft(work, draft) } : {}),
  }
}

/** The form for many recipients: nothing in it depends on the reader. */
export function threadForMany(work: Work, place: OpenMessage, limit: number): WireThread {
  return {
    ...core(work, place, participationsIn(work.db, place.row.id, limit)),
    parent_message: messageForMany(work, place.row),
    channel: channelForMany(work, place.access),
  }
}

/** The thread begins with its first reply: its author and time are those of the thread. */
function core(work: Work, { row }: OpenMessage, participants: readonly Participation[]): WireThread {
  const ends = endsOfThread(work.db, row.id)
  const details = threadDetails(work.db, row.id)
  const { all, active } = countParticipants(work.db, row.id)
  const createdBy = ends?.first.user_id ?? row.user_id
  const lastAt = ends?.last.created_at ?? row.created_at
  work.people.load(participants.map((each) => each.user_id))
  return {
    ...(JSON.parse(details?.custom ?? '{}') as Record<string, unknown>),
    parent_message_id: row.id,
    channel_cid: row.cid,
    title: details?.title ?? (row.deleted_at === null ? row.text : ''),
    created_by_user_id: createdBy,
    created_by: work.people(createdBy),
    reply_count: row.reply_count,
    participant_count: all,
    active_participant_count: active,
    thread_participants: participants.map((each) => encodeParticipant(work, each)),
    last_message_at: toText(lastAt),
    created_at: toText(ends?.first.created_at ?? row.created_at),
    updated_at: toText(Math.max(lastAt, details?.updated_at ?? 0)),
    ...(row.deleted_at === null ? {} : { deleted_at: toText(row.deleted_at) }),
  }
}

function encodeParticipant(work: Work, row: Participation): WireThreadParticipant {
  return {
    user_id: row.user_id,
    user: work.people(row.user_id),
    channel_cid: row.cid,
    thread_id: row.parent_id,
    created_at: toText(row.created_at),
    last_read_at: toText(row.last_read),
    left_thread_at: row.left_at === null ? undefined : toText(row.left_at),
    last_thread_message_at: row.last_message_at === null ? undefined : toText(row.last_message_at),
  }
}

/** A user who hides read receipts is left out for others. */
function readsOf(work: Work, participants: readonly Participation[], who: Identity) {
  return participants
    .filter((row) => row.member !== null && (row.user_id === who.userId || showsReads(work, row.user_id)))
    .map((row) => ({
      user: work.people(row.user_id),
      last_read: toText(row.last_read),
      last_read_message_id: row.last_read_message_id ?? undefined,
      unread_messages: unreadReplies(work.db, row.parent_id, row.user_id),
    }))
}
