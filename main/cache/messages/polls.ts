import { changesBetween, withChanges } from '#shared/rules/polls/polls.ts'
import type { PollId } from '#shared/lib/brand.ts'
import { asPollId } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import type { PollRow, PollVoteRow } from '../rows.ts'
import * as search from '../search/docs.ts'
import { type CacheSql, fromJson, toJson, type Reader, type Tx } from '../store.ts'
import { checked, insertInto, summed } from '../files/sums.ts'

/**
 * Polls. Events do not contain the viewer's own votes: those are preserved until an event about an own vote, or a
 * response.
 */
type Stored = { id: string; updated_at: number; as_of: number; own: string; json: string; sum: number }

const BY_ID = 'SELECT * FROM polls WHERE id = ?'
const PUT = insertInto('polls')
const NEWEST = `SELECT id FROM messages WHERE json_extract(json, '$.pollId') IS NOT NULL ORDER BY created_at DESC LIMIT ?`
const ENDING = `SELECT id FROM polls WHERE json_extract(json, '$.closesAt') IS NOT NULL AND json_extract(json, '$.closed') = 0`
const MESSAGE = `SELECT id FROM messages WHERE json_extract(json, '$.pollId') IS NOT NULL AND json_extract(json, '$.pollId') = ?`
const REMOVE = 'DELETE FROM polls WHERE id = ?'

export function byId(reader: Reader, id: string): PollRow | undefined {
  const stored = reader.db.get<Stored>(BY_ID, id)
  return stored && toRow(reader.db, stored, { id })
}

export function put(tx: Tx, row: PollRow): void {
  const stored = byId(tx, row.id)
  const merged = stored ? withChangesOf(stored, mergePoll(stored, row)) : row
  if (stored && isSame(stored, merged)) return
  write(tx, merged)
  search.pollChanged(tx, stored, merged)
}

/** Ids of open polls with a closing time. */
export const endingIds = (reader: Reader): readonly string[] =>
  reader.db.all<{ id: string }>(ENDING).map(({ id }) => id)

/** The cached message of a poll. */
export const messageOf = (reader: Reader, id: string): string | undefined =>
  reader.db.get<{ id: string }>(MESSAGE, id)?.id

/** Ids of cached messages with a poll, newest first. */
export const messageIds = (reader: Reader, limit: number): readonly string[] =>
  reader.db.all<{ id: string }>(NEWEST, limit).map(({ id }) => id)

/**
 * The poll's texts were changed or it was closed: its cached votes are preserved, because the event's copy of them may
 * be outdated. A poll that is not cached is ignored. See docs/wire.md 4.10.
 */
export function define(tx: Tx, row: PollRow): void {
  const stored = byId(tx, row.id)
  if (!stored || stored.updatedAt > row.updatedAt) return
  const { name, description, options, enforceUniqueVote, maxVotes, allowAnswers, allowSuggestions, anonymous } = row
  const definition = { name, description, options, enforceUniqueVote, maxVotes, allowAnswers, allowSuggestions }
  const ends = { closed: row.closed, closesAt: row.closesAt }
  const changed = { ...stored, ...definition, anonymous, ...ends, ...votesLeft(stored, row), updatedAt: row.updatedAt }
  const merged = withChangesOf(stored, changed)
  if (isSame(stored, merged)) return
  write(tx, merged)
  search.pollChanged(tx, stored, merged)
}

/** Votes are removed with their option, without a separate event. */
function votesLeft(stored: PollRow, row: PollRow): Partial<PollRow> {
  const ids = new Set(row.options.map(({ id }) => id))
  if (stored.options.every(({ id }) => ids.has(id))) return {}
  const { voteCount, votesByOption, latestByOption } = row
  const ownVotes = stored.ownVotes?.filter(({ optionId }) => optionId === undefined || ids.has(optionId))
  return { voteCount, votesByOption, latestByOption, ownVotes }
}

function withChangesOf(stored: PollRow, row: PollRow): PollRow {
  const changes = withChanges(stored.changes, changesBetween(stored, row, row.updatedAt))
  return changes.length === 0 ? row : { ...row, changes }
}

/** The viewer cast, changed or removed a vote. `poll` is the event's copy with the new tallies. */
export function ownVote(tx: Tx, poll: PollRow, change: 'put' | 'remove', vote: PollVoteRow): void {
  const stored = byId(tx, poll.id)
  const before = stored?.ownVotes ?? poll.ownVotes ?? []
  put(tx, { ...poll, ownVotes: withVote(before, change, vote, poll.enforceUniqueVote) })
}

/** See docs/wire.md 7.12. */
function withVote(
  votes: readonly PollVoteRow[],
  change: 'put' | 'remove',
  vote: PollVoteRow,
  unique: boolean,
): readonly PollVoteRow[] {
  const isAnswer = vote.answerText !== undefined
  const others = votes.filter((one) => {
    if (one.id === vote.id) return false
    if ((one.answerText !== undefined) !== isAnswer) return true
    return isAnswer ? false : !unique && one.optionId !== vote.optionId
  })
  if (change === 'put') return [...others, vote]
  return votes.filter((one) => one.id !== vote.id && (isAnswer || one.optionId !== vote.optionId))
}

export function remove(tx: Tx, id: PollId): void {
  if (tx.db.run(REMOVE, id) > 0) tx.touch('polls', id)
}

function mergePoll(stored: PollRow, incoming: PollRow): PollRow {
  const isLater = incoming.asOf >= stored.asOf
  const newer = isLater ? incoming : stored
  const older = isLater ? stored : incoming
  return { ...newer, ownVotes: newer.ownVotes ?? older.ownVotes, closed: newer.closed }
}

function write(tx: Tx, row: PollRow): void {
  const { id, updatedAt, asOf, ownVotes, ...json } = row
  const columns = { id, updated_at: updatedAt, as_of: asOf, own: toJson(ownVotes ?? null), json: toJson(json) }
  tx.db.run(PUT, ...summed('polls', columns))
  tx.touch('polls', id)
}

function toRow(db: CacheSql, stored: Stored, lookupKey: Partial<Stored>): PollRow {
  checked(db, 'polls', stored, lookupKey)
  return {
    ...fromJson<Omit<PollRow, keyof Stored>>(db, stored.json),
    ownVotes: fromJson<readonly PollVoteRow[] | null>(db, stored.own) ?? undefined,
    id: asPollId(stored.id),
    updatedAt: stored.updated_at,
    asOf: stored.as_of,
  }
}
