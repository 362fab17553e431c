import * as v from 'valibot'
import {
  createPoll,
  deletePoll,
  getPoll,
  queryPolls,
  updatePoll,
  updatePollPartial,
  createPollOption,
  deletePollOption,
  getPollOption,
  updatePollOption,
} from '#shared/wire/polls.ts'
import type { WirePoll, WirePollOption } from '#shared/wire/objects.ts'
import type { Identity } from '../http/auth/identify.ts'
import { isObject, type Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { customOf, flag, idText, list, object, oneOf, read, text, whole, line } from '../http/shapes.ts'
import { pollList, cursorBody, readCursorPage } from '../store/query/lists.ts'
import { changeOf, type PartialUpdate } from '../admin/partial-updates.ts'
import { optionalTime } from '../store/time.ts'
import type { Work } from '../work.ts'
import { need } from '../channels/access.ts'
import {
  deleteOption,
  insertPoll,
  optionsOf,
  pollById,
  putOption,
  putPoll,
  type PollRow,
  encodeOption,
  deleteVote,
  optionById,
  putVote,
  votesOf,
  type OptionRow,
} from './poll-tables.ts'
import { announceVote, announcePoll, mayChange, openPoll, pollFor, type OpenPoll } from './poll-votes.ts'

const MAX_OPTIONS = 100
const MAX_TEXT = 500
const MAX_DESCRIPTION = 5_000

const optionBody = v.looseObject({
  id: idText(),
  text: line(MAX_TEXT),
})

const pollBody = v.looseObject({
  id: idText(),
  name: line(MAX_TEXT),
  description: text(MAX_DESCRIPTION),
  options: list(optionBody, MAX_OPTIONS),
  enforce_unique_vote: flag,
  max_votes_allowed: whole(10),
  allow_answers: flag,
  allow_user_suggested_options: flag,
  voting_visibility: oneOf(['public', 'anonymous']),
  is_closed: flag,
})
type PollBody = v.InferOutput<typeof pollBody>

/** Keys of a poll that are columns, or that only the server sets. Everything else is custom. */
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(pollBody.entries),
  'user_id',
  'user',
  'vote_count',
  'vote_counts_by_option',
  'answers_count',
  'latest_answers',
  'latest_votes_by_option',
  'own_votes',
  'created_by_id',
  'created_by',
  'created_at',
  'updated_at',
])
const OPTION_KNOWN: ReadonlySet<string> = new Set([
  'id',
  'text',
  'poll_id',
  'position',
  'vote_count',
  'votes',
  'merged_into',
  'suggested_by',
  'created_at',
  'updated_at',
])

export const pollRoutes: readonly Route[] = [
  route(createPoll, { body: pollBody }, ({ body, who }, work) => ({ poll: create(work, who, body) })),
  route(getPoll, {}, ({ params, who }, work) => ({
    poll: pollFor(work, openPoll(work, params.pollId, who).poll, who),
  })),
  route(updatePoll, { body: pollBody }, ({ body, who }, work) => {
    const open = openPoll(work, body.id ?? refuse('input', 'id is required', { id: 'required' }), who)
    mayChange(open, who)
    return { poll: write(work, open, who, body) }
  }),
  route(
    updatePollPartial,
    { body: v.object({ set: object, unset: list(v.string(), 100) }) },
    ({ params, body, who }, work) => {
      const open = openPoll(work, params.pollId, who)
      mayChange(open, who)
      return { poll: write(work, open, who, merged(work, open.poll, body)) }
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
  route(queryPolls, { body: v.looseObject(cursorBody) }, ({ body, who }, work) => {
    const { rows, cursors } = readCursorPage(work.db, pollList(who.userId, who.server, body.filter), body)
    return { polls: rows.map((row) => pollFor(work, row, who)), ...cursors }
  }),
]

function create(work: Work, who: Identity, body: PollBody): WirePoll {
  if (who.userId === '') return refuse('input', 'a server token must name a user')
  if (who.banned && !who.server) return refuse('notAllowed', `User '${who.userId}' is banned`)
  const id = body.id ?? work.ids.uuid()
  if (pollById(work.db, id)) return refuse('input', `a poll with ID ${id} already exists`)
  const row = rowOf(body, { id, created_by: who.userId, created_at: work.now, updated_at: work.now })
  insertPoll(work.db, row, optionsIn(work, body))
  return pollFor(work, row, who)
}

/** The columns that a request does not set. `closes_at` is the previous time while the poll is open. */
type Fixed = Pick<PollRow, 'id' | 'created_by' | 'created_at' | 'updated_at'> & Partial<Pick<PollRow, 'closes_at'>>

/** A poll with every column, or a refusal. See docs/wire.md 8.12 "max_votes_allowed". */
function rowOf(body: PollBody, fixed: Fixed): PollRow {
  const unique = body.enforce_unique_vote ?? false
  const max = body.max_votes_allowed || undefined
  if (max !== undefined && (unique || max < 2)) {
    refuse('input', 'max_votes_allowed must be 2 to 10 and not with a unique vote')
  }
  return {
    ...fixed,
    name: body.name,
    description: body.description ?? '',
    enforce_unique: Number(unique),
    max_votes: max ?? null,
    allow_answers: Number(body.allow_answers ?? false),
    allow_suggestions: Number(body.allow_user_suggested_options ?? false),
    visibility: body.voting_visibility === 'anonymous' ? 'anonymous' : 'public',
    closed: Number(body.is_closed ?? false),
    custom: JSON.stringify(customOf(body, KNOWN)),
    closes_at: closingTime(body['closes_at'], fixed),
  }
}

/** A time in the past is ignored, so that a reopened poll stays open. */
function closingTime(value: unknown, { updated_at, closes_at }: Fixed): number | null {
  const at = optionalTime(value)
  if (at === undefined) return null
  return at > updated_at || at === closes_at ? at : null
}

function optionsIn(work: Work, body: PollBody) {
  const options = body.options ?? []
  if (new Set(options.map((option) => option.text)).size < options.length) {
    refuse('input', 'two options have the same text')
  }
  const named = options.flatMap((option) => option.id ?? [])
  if (new Set(named).size < named.length) refuse('input', 'two options have the same id')
  return options.map((option) => ({
    id: option.id ?? work.ids.uuid(),
    text: option.text,
    custom: JSON.stringify(customOf(option, OPTION_KNOWN)),
  }))
}

/** The whole poll after a partial update. */
function merged(work: Work, poll: PollRow, request: PartialUpdate): PollBody {
  const custom = JSON.parse(poll.custom) as Json
  const { set, unset } = changeOf(custom, request)
  const whole: Record<string, unknown> = {
    ...custom,
    name: poll.name,
    description: poll.description,
    enforce_unique_vote: poll.enforce_unique === 1,
    max_votes_allowed: poll.max_votes,
    allow_answers: poll.allow_answers === 1,
    allow_user_suggested_options: poll.allow_suggestions === 1,
    voting_visibility: poll.visibility,
    is_closed: poll.closed === 1,
    options: optionsOf(work.db, poll.id).map((option) => ({
      ...(JSON.parse(option.custom) as Json),
      id: option.id,
      text: option.text,
    })),
    ...set,
  }
  for (const key of unset) delete whole[key]
  return read(pollBody, whole)
}

/** Writes the whole poll; options that are not in it are deleted with their votes. */
function write(work: Work, open: OpenPoll, who: Identity, body: PollBody): WirePoll {
  const { poll } = open
  const row = rowOf(body, {
    id: poll.id,
    created_by: poll.created_by,
    created_at: poll.created_at,
    updated_at: work.now,
    closes_at: poll.closed ? undefined : poll.closes_at,
  })
  const options = optionsIn(work, body)
  const remaining = new Set(options.map((option) => option.id))
  putPoll(work.db, row)
  for (const old of optionsOf(work.db, poll.id)) if (!remaining.has(old.id)) deleteOption(work.db, poll.id, old.id)
  options.forEach((option, position) => putOption(work.db, poll.id, option, position))
  announcePoll(work, { ...open, poll: row }, who, row.closed && !poll.closed ? 'poll.closed' : 'poll.updated')
  return pollFor(work, row, who)
}

/** Custom keys of one option. */
function optionCustom(input: unknown): string {
  return JSON.stringify(customOf(isObject(input) ? input : {}, OPTION_KNOWN))
}

const optionText = line(500)

export const pollOptionRoutes: readonly Route[] = [
  route(
    createPollOption,
    { body: v.looseObject({ id: idText(), text: optionText }) },
    ({ params, body, raw, who }, work) => {
      const open = openPoll(work, params.pollId, who)
      maySuggest(open, who)
      const options = optionsOf(work.db, open.poll.id)
      if (options.length >= MAX_OPTIONS) refuse('input', `a poll has at most ${MAX_OPTIONS} options`)
      const id = body.id ?? work.ids.uuid()
      if (options.some((option) => option.id === id)) refuse('input', `an option with ID ${id} already exists`)
      refuseDuplicate(options, body.text)
      const place = (options.at(-1)?.position ?? -1) + 1
      const by = open.poll.created_by === who.userId ? null : who.userId
      putOption(work.db, open.poll.id, { id, text: body.text, custom: optionCustom(raw), created_by: by }, place)
      changed(work, open, who)
      return { poll_option: encodeOption(found(work, open, id)) }
    },
  ),
  route(
    updatePollOption,
    { body: v.looseObject({ id: v.pipe(v.string(), v.minLength(1)), text: optionText, merged_into: idText() }) },
    ({ params, body, raw, who }, work) => {
      const open = openPoll(work, params.pollId, who)
      mayChange(open, who)
      const known = found(work, open, body.id)
      if (body.merged_into !== undefined) return { poll_option: merge(work, open, who, known, body.merged_into) }
      refuseDuplicate(
        optionsOf(work.db, open.poll.id).filter((option) => option.id !== known.id),
        body.text,
      )
      putOption(work.db, open.poll.id, { id: known.id, text: body.text, custom: optionCustom(raw) }, known.position)
      changed(work, open, who)
      return { poll_option: encodeOption(found(work, open, known.id)) }
    },
  ),
  route(getPollOption, {}, ({ params, who }, work) => ({
    poll_option: encodeOption(found(work, openPoll(work, params.pollId, who), params.optionId)),
  })),
  route(deletePollOption, {}, ({ params, who }, work) => {
    const open = openPoll(work, params.pollId, who)
    mayChange(open, who)
    deleteOption(work.db, open.poll.id, found(work, open, params.optionId).id)
    changed(work, open, who)
    return {}
  }),
]

/** Merges one option with its votes into another; a user who chose both keeps one vote. */
function merge(work: Work, open: OpenPoll, who: Identity, from: OptionRow, intoId: string): WirePollOption {
  const into = found(work, open, intoId)
  if (into.id === from.id) refuse('input', 'an option cannot be merged into itself')
  const votes = votesOf(work.db, open.poll.id)
  const voters = new Set(votes.filter((vote) => vote.option_id === into.id).map((vote) => vote.user_id))
  for (const vote of votes.filter((each) => each.option_id === from.id)) {
    const moved = { ...vote, option_id: into.id, updated_at: work.now }
    const isDuplicate = voters.has(vote.user_id)
    if (isDuplicate) deleteVote(work.db, vote.id)
    else putVote(work.db, moved)
    if (open.place) {
      const announced = isDuplicate ? vote : moved
      announceVote(work, open.place, open.poll, announced, isDuplicate ? 'poll.vote_removed' : 'poll.vote_changed')
    }
  }
  deleteOption(work.db, open.poll.id, from.id)
  changed(work, open, who)
  return encodeOption(found(work, open, into.id))
}

/** Changing an option changes the poll. */
function changed(work: Work, open: OpenPoll, who: Identity): void {
  const poll = { ...open.poll, updated_at: work.now }
  putPoll(work.db, poll)
  announcePoll(work, { ...open, poll }, who, 'poll.updated')
}

/** The creator always; others while the poll is open and accepts suggestions. See docs/wire.md 8.12. */
function maySuggest({ poll, place }: OpenPoll, who: Identity): void {
  if (poll.closed) refuse('input', 'the poll is closed')
  if (poll.created_by === who.userId || who.server) return
  if (!poll.allow_suggestions) refuse('notAllowed', 'the poll takes no suggested options')
  if (place) need(place.access, who, 'cast-poll-vote', 'SuggestPollOption')
}

function found(work: Work, { poll }: OpenPoll, id: string): OptionRow {
  return optionById(work.db, poll.id, id) ?? refuse('doesNotExist', `option ${id} does not exist`)
}

function refuseDuplicate(options: readonly OptionRow[], text: string): void {
  if (options.some((option) => option.text === text)) refuse('input', 'the option already exists')
}
