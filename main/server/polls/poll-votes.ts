import * as v from 'valibot'
import { isBlank } from '#shared/lib/clean-text.ts'
import { castVote, queryPollVotes, removeVote } from '#shared/wire/polls.ts'
import type { WirePoll } from '#shared/wire/objects.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { idText, text } from '../http/shapes.ts'
import { voteList, cursorBody, readCursorPage } from '../store/query/lists.ts'
import { need, accessTo } from '../channels/access.ts'
import type { Work } from '../work.ts'
import { channelEvent } from '../realtime/emission.ts'
import { emitAbout } from '../messages/message-announce.ts'
import { openMessage, type OpenMessage, findMessage } from '../messages/message-checks.ts'
import {
  encodeVote,
  deleteVote,
  optionsOf,
  pollById,
  putVote,
  votesOf,
  type PollRow,
  type VoteRow,
  encodePoll,
  messageOfPoll,
  putPoll,
} from './poll-tables.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { messageById } from '../messages/message-table.ts'

const MAX_ANSWER = 1_000

export const pollVoteRoutes: readonly Route[] = [
  route(
    castVote,
    { body: v.looseObject({ vote: v.object({ option_id: idText(), answer_text: text(MAX_ANSWER) }) }) },
    ({ params, body, who }, work) => {
      const place = openMessage(work, params.messageId, who)
      const poll = votablePoll(work, place, who, params.pollId)
      const before = votesOf(work.db, poll.id).filter((vote) => vote.user_id === who.userId)
      const vote = !body.vote.answer_text
        ? choose(work, poll, before, who, body.vote.option_id ?? refuse('input', 'vote needs option_id or answer_text'))
        : answer(work, poll, before, who, body.vote.answer_text)
      const known = before.find((each) => each.id === vote.id)
      if (known !== vote) announceVote(work, place, poll, vote, known ? 'poll.vote_changed' : 'poll.vote_casted')
      return { vote: encodeVote(vote, work.people, false), poll: pollFor(work, poll, who) }
    },
  ),
  route(removeVote, {}, ({ params, who }, work) => {
    const place = openMessage(work, params.messageId, who)
    const poll = votablePoll(work, place, who, params.pollId)
    const vote = votesOf(work.db, poll.id).find((each) => each.id === params.voteId && each.user_id === who.userId)
    if (!vote) return refuse('doesNotExist', `vote ${params.voteId} does not exist`)
    deleteVote(work.db, vote.id)
    announceVote(work, place, poll, vote, 'poll.vote_removed')
    return { vote: encodeVote(vote, work.people, false), poll: pollFor(work, poll, who) }
  }),
  route(queryPollVotes, { body: v.looseObject(cursorBody) }, ({ params, body, who }, work) => {
    const { poll, place } = openPoll(work, params.pollId, who)
    if (place && poll.created_by !== who.userId) need(place.access, who, 'query-poll-votes', 'QueryVotes')
    const onlyOf = poll.visibility === 'anonymous' ? who.userId : undefined
    const { rows, cursors } = readCursorPage(work.db, voteList(poll.id, onlyOf, body.filter), body)
    return { votes: rows.map((row) => encodeVote(row, work.people, false)), ...cursors }
  }),
]

function votablePoll(work: Work, place: OpenMessage, who: Identity, pollId: string): PollRow {
  if (who.userId === '') return refuse('input', 'a server token must name a user')
  if (!place.access.flags.polls) return refuse('featureNotSupported', 'polls are switched off in this channel')
  need(place.access, who, 'cast-poll-vote', 'CastVote')
  const poll = pollById(work.db, pollId)
  if (!poll || place.row.poll_id !== pollId || place.row.deleted_at !== null)
    return refuse('doesNotExist', `poll ${pollId} does not exist`)
  if (poll.closed || (poll.closes_at !== null && poll.closes_at <= work.now))
    return refuse('input', 'the poll is closed')
  return poll
}

/** A unique vote moves and keeps its id; otherwise votes are added up to the limit. See docs/wire.md 8.12. */
function choose(work: Work, poll: PollRow, before: readonly VoteRow[], who: Identity, optionId: string): VoteRow {
  if (!optionsOf(work.db, poll.id).some((option) => option.id === optionId)) {
    return refuse('doesNotExist', `option ${optionId} does not exist`)
  }
  const choices = before.filter((vote) => vote.answer === null)
  const same = choices.find((vote) => vote.option_id === optionId)
  if (same) return same
  const moved = poll.enforce_unique ? choices[0] : undefined
  if (!moved && poll.max_votes !== null && choices.length >= poll.max_votes) {
    return refuse('input', `at most ${poll.max_votes} votes are allowed`)
  }
  const vote: VoteRow = {
    id: moved?.id ?? work.ids.uuid(),
    poll_id: poll.id,
    option_id: optionId,
    user_id: who.userId,
    answer: null,
    created_at: moved?.created_at ?? work.now,
    updated_at: work.now,
  }
  putVote(work.db, vote)
  return vote
}

function answer(work: Work, poll: PollRow, before: readonly VoteRow[], who: Identity, text: string): VoteRow {
  if (!poll.allow_answers) return refuse('input', 'the poll takes no answers')
  if (isBlank(text)) return refuse('input', 'the answer is empty')
  const old = before.find((vote) => vote.answer !== null)
  const vote: VoteRow = {
    id: old?.id ?? work.ids.uuid(),
    poll_id: poll.id,
    option_id: '',
    user_id: who.userId,
    answer: text,
    created_at: old?.created_at ?? work.now,
    updated_at: work.now,
  }
  putVote(work.db, vote)
  return vote
}

/** Not called for a vote that did not change. */
export function announceVote(
  work: Work,
  place: OpenMessage,
  poll: PollRow,
  vote: VoteRow,
  type: 'poll.vote_casted' | 'poll.vote_changed' | 'poll.vote_removed',
): void {
  const event = channelEvent(type, place.access.channel, work.stamp(place.row.cid), {
    poll: pollForMany(work, poll),
    poll_vote: encodeVote(vote, work.people, poll.visibility === 'anonymous'),
    message_id: place.row.id,
  })
  emitAbout(work, place.row, event, '')
}

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

function pollForMany(work: Work, poll: PollRow): WirePoll {
  return encodePoll(poll, parts(work, poll))
}

function parts(work: Work, poll: PollRow) {
  return { options: optionsOf(work.db, poll.id), votes: votesOf(work.db, poll.id), user: work.people }
}
