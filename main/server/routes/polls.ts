import * as v from 'valibot'
import { castVote, createPoll, deletePoll, getPoll, removeVote, updatePollPartial } from '#shared/wire/polls.ts'
import type { WirePoll } from '#shared/wire/objects.ts'
import type { Identity } from '../auth/identify.ts'
import { encodePoll, encodeVote } from '../encode/polls.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag, idText, list, object, text, whole } from '../http/shapes.ts'
import { need, type Access } from '../rules/access.ts'
import {
  deleteVote,
  insertPoll,
  messageOfPoll,
  optionsOf,
  pollById,
  putVote,
  votesOf,
  type PollRow,
  type VoteRow,
} from '../store/tables/polls.ts'
import type { MessageRow } from '../store/tables/messages.ts'
import type { Work } from '../work.ts'
import { channelEvent } from './events.ts'
import { openMessage } from './messages.ts'

const MAX_OPTIONS = 100
const MAX_TEXT = 500
const MAX_ANSWER = 1_000

const pollBody = v.looseObject({
  id: idText(),
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_TEXT)),
  description: text(MAX_TEXT),
  options: list(
    v.looseObject({ id: idText(), text: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_TEXT)) }),
    MAX_OPTIONS,
  ),
  enforce_unique_vote: flag,
  max_votes_allowed: whole(10),
  allow_answers: flag,
  allow_user_suggested_options: flag,
  voting_visibility: text(20),
  is_closed: flag,
})

export const pollRoutes: readonly Route[] = [
  route(createPoll, { body: pollBody }, ({ body, who }, work) => ({ poll: create(work, who, body) })),
  route(getPoll, {}, ({ params, who }, work) => ({ poll: shown(work, openPoll(work, params.pollId, who).poll, who) })),
  route(
    updatePollPartial,
    { body: v.object({ set: object, unset: list(v.string(), 100) }) },
    ({ params, body, who }, work) => {
      const open = openPoll(work, params.pollId, who)
      return { poll: change(work, open, who, body.set ?? {}) }
    },
  ),
  route(deletePoll, {}, ({ params, who }, work) => {
    const open = openPoll(work, params.pollId, who)
    mayChange(open, who)
    announcePoll(work, open, who, 'poll.deleted')
    work.db.run('UPDATE messages SET poll_id = NULL WHERE poll_id = ?', open.poll.id)
    work.db.run('DELETE FROM polls WHERE id = ?', open.poll.id)
    return {}
  }),
  route(
    castVote,
    { body: v.looseObject({ vote: v.object({ option_id: idText(), answer_text: text(MAX_ANSWER) }) }) },
    ({ params, body, who }, work) => {
      const place = openMessage(work, params.messageId, who)
      const poll = votablePoll(work, place, who, params.pollId)
      const before = votesOf(work.db, poll.id).filter((vote) => vote.user_id === who.userId)
      const vote =
        body.vote.answer_text === undefined
          ? choose(work, poll, before, who, body.vote.option_id ?? '')
          : answer(work, poll, before, who, body.vote.answer_text)
      const known = before.some((each) => each.id === vote.id)
      announceVote(work, place, poll, vote, known ? 'poll.vote_changed' : 'poll.vote_casted')
      return { vote: encodeVote(vote, work.people, false), poll: shown(work, poll, who) }
    },
  ),
  route(removeVote, {}, ({ params, who }, work) => {
    const place = openMessage(work, params.messageId, who)
    const poll = votablePoll(work, place, who, params.pollId)
    const vote = votesOf(work.db, poll.id).find((each) => each.id === params.voteId && each.user_id === who.userId)
    if (!vote) return refuse('doesNotExist', `vote ${params.voteId} does not exist`)
    deleteVote(work.db, vote.id)
    announceVote(work, place, poll, vote, 'poll.vote_removed')
    return { vote: encodeVote(vote, work.people, false), poll: shown(work, poll, who) }
  }),
]

function create(work: Work, who: Identity, body: v.InferOutput<typeof pollBody>): WirePoll {
  const id = body.id ?? work.ids.uuid()
  if (pollById(work.db, id)) return refuse('input', `a poll with ID ${id} already exists`)
  const unique = body.enforce_unique_vote ?? false
  const max = body.max_votes_allowed || undefined
  if (max !== undefined && (unique || max < 2))
    refuse('input', 'max_votes_allowed must be 2 to 10 and not with a unique vote')
  const texts = (body.options ?? []).map((option) => option.text)
  if (new Set(texts).size < texts.length) refuse('input', 'two options have the same text')
  const row: PollRow = {
    id,
    name: body.name,
    description: body.description ?? '',
    created_by: who.userId,
    enforce_unique: Number(unique),
    max_votes: max ?? null,
    allow_answers: Number(body.allow_answers ?? false),
    allow_suggestions: Number(body.allow_user_suggested_options ?? false),
    visibility: body.voting_visibility === 'anonymous' ? 'anonymous' : 'public',
    closed: Number(body.is_closed ?? false),
    created_at: work.now,
    updated_at: work.now,
    custom: '{}',
  }
  insertPoll(
    work.db,
    row,
    (body.options ?? []).map((option) => ({ id: option.id ?? work.ids.uuid(), text: option.text, custom: '{}' })),
  )
  return shown(work, row, who)
}

type OpenPoll = { readonly poll: PollRow; readonly place: { row: MessageRow; access: Access } | undefined }

/** A poll somebody may see: their own, or one on a message they may read. */
function openPoll(work: Work, id: string, who: Identity): OpenPoll {
  const poll = pollById(work.db, id)
  const messageId = poll ? messageOfPoll(work.db, id) : undefined
  const place = messageId === undefined ? undefined : openMessage(work, messageId, who)
  if (!poll || (!place && poll.created_by !== who.userId && !who.server)) {
    return refuse('doesNotExist', `poll ${id} does not exist`)
  }
  return { poll, place }
}

function mayChange({ poll, place }: OpenPoll, who: Identity): void {
  const any = place?.access.can.has('update-any-message') ?? false
  if (poll.created_by !== who.userId && !any && !who.server) refuse('notAllowed', 'only its creator may change a poll')
}

function change(work: Work, open: OpenPoll, who: Identity, set: Record<string, unknown>): WirePoll {
  mayChange(open, who)
  const { poll } = open
  const closed = typeof set['is_closed'] === 'boolean' ? Number(set['is_closed']) : poll.closed
  const name = typeof set['name'] === 'string' && set['name'] !== '' ? set['name'].slice(0, MAX_TEXT) : poll.name
  const description = typeof set['description'] === 'string' ? set['description'].slice(0, MAX_TEXT) : poll.description
  work.db.run(
    'UPDATE polls SET closed = ?, name = ?, description = ?, updated_at = ? WHERE id = ?',
    closed,
    name,
    description,
    work.now,
    poll.id,
  )
  const after = pollById(work.db, poll.id) ?? poll
  announcePoll(work, { ...open, poll: after }, who, closed && !poll.closed ? 'poll.closed' : 'poll.updated')
  return shown(work, after, who)
}

function announcePoll(
  work: Work,
  { poll, place }: OpenPoll,
  who: Identity,
  type: 'poll.updated' | 'poll.closed' | 'poll.deleted',
): void {
  if (!place) return
  work.emit({
    event: channelEvent(type, place.access.channel, work.stamp(place.row.cid), {
      poll: shownToMany(work, poll),
      message_id: place.row.id,
      user: work.people(who.userId),
    }),
    to: { kind: 'watchers', cid: place.row.cid },
    keep: 'channel',
  })
}

function votablePoll(work: Work, place: { row: MessageRow; access: Access }, who: Identity, pollId: string): PollRow {
  if (!place.access.flags.polls) return refuse('featureNotSupported', 'polls are switched off in this channel')
  need(place.access, who, 'cast-poll-vote', 'CastVote')
  const poll = pollById(work.db, pollId)
  if (!poll || place.row.poll_id !== pollId) return refuse('doesNotExist', `poll ${pollId} does not exist`)
  if (poll.closed) return refuse('input', 'the poll is closed')
  return poll
}

/** A unique vote moves and keeps its id; otherwise votes are added up to the limit. Source: wire contract 8.12. */
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

function answer(work: Work, poll: PollRow, before: readonly VoteRow[], who: Identity, words: string): VoteRow {
  if (!poll.allow_answers) return refuse('input', 'the poll takes no answers')
  if (words.trim() === '') return refuse('input', 'the answer is empty')
  const old = before.find((vote) => vote.answer !== null)
  const vote: VoteRow = {
    id: old?.id ?? work.ids.uuid(),
    poll_id: poll.id,
    option_id: '',
    user_id: who.userId,
    answer: words,
    created_at: old?.created_at ?? work.now,
    updated_at: work.now,
  }
  putVote(work.db, vote)
  return vote
}

function announceVote(
  work: Work,
  place: { row: MessageRow; access: Access },
  poll: PollRow,
  vote: VoteRow,
  type: 'poll.vote_casted' | 'poll.vote_changed' | 'poll.vote_removed',
): void {
  work.emit({
    event: channelEvent(type, place.access.channel, work.stamp(place.row.cid), {
      poll: shownToMany(work, poll),
      poll_vote: encodeVote(vote, work.people, poll.visibility === 'anonymous'),
      message_id: place.row.id,
    }),
    to: { kind: 'watchers', cid: place.row.cid, author: vote.user_id },
    keep: 'channel',
  })
}

function shown(work: Work, poll: PollRow, who: Identity): WirePoll {
  return encodePoll(poll, { ...parts(work, poll), viewer: who.userId })
}

function shownToMany(work: Work, poll: PollRow): WirePoll {
  return encodePoll(poll, parts(work, poll))
}

function parts(work: Work, poll: PollRow) {
  return { options: optionsOf(work.db, poll.id), votes: votesOf(work.db, poll.id), user: work.people }
}
