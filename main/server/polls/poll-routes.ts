import * as v from 'valibot'
import { createPoll, deletePoll, getPoll, queryPolls, updatePoll, updatePollPartial } from '#shared/wire/polls.ts'
import type { WirePoll } from '#shared/wire/objects.ts'
import type { Identity } from '../http/auth/identify.ts'
import { isObject, type Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { customOf, flag, idText, list, object, oneOf, read, text, whole, line } from '../http/shapes.ts'
import { cursorBody, readCursorPage } from '../store/query/cursor.ts'
import { pollList } from '../store/query/lists.ts'
import { changeOf, type PartialUpdate } from '../admin/partial-updates.ts'
import { deleteOption, insertPoll, optionsOf, pollById, putOption, putPoll, type PollRow } from './poll-tables.ts'
import { optionalTime } from '../time.ts'
import type { Work } from '../work.ts'
import { announcePoll, mayChange, openPoll, pollFor, type OpenPoll } from './poll-state.ts'

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
export function optionCustom(input: unknown): string {
  return JSON.stringify(customOf(isObject(input) ? input : {}, OPTION_KNOWN))
}
