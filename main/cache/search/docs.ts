import type { MessageId } from '#shared/lib/brand.ts'
import type { MessageRow, PollRow } from '../rows.ts'
import type { Reader, Tx } from '../store.ts'
import { bodyOf, fieldsOf, isSearchable, marksOf } from '#shared/rules/search/search-match.ts'
import { FOLD_VERSION } from '#shared/rules/search/search-fold.ts'
import { isSame } from '#shared/lib/same.ts'
import * as meta from '../meta.ts'

/**
 * The content of the full-text index. A message is fresh once it is stored: one that is new is known by its row, behind
 * the last one seen here, and one that was changed is listed. It is searchable from then on, and is indexed in the
 * background ({@link step}). A document is numbered by the millisecond of its message and a counter, so that index
 * order is time order and the newest documents are read first.
 *
 * Removed text is never found once it is removed ({@link changed}, {@link removed}); it is erased from disk by one of
 * the next steps.
 */
const SLOTS = 4_096
/** The last millisecond with its own number, in 2248. Later ones share it, and are sorted by their messages. */
const LAST_MS = 8_796_093_022_207

/** Number of the first document of a message's millisecond. Computed in SQL: it exceeds the range of `Number`. */
export const FIRST_DOC = `(CAST(max(0, min(?, ${LAST_MS})) AS INTEGER) * ${SLOTS})`
const LAST_DOC = `(${FIRST_DOC} + ${SLOTS - 1})`

/** Rows of new messages that are listed at once. */
const ROWS_A_STEP = 1_000
const UNSEEN = 'rowid > (SELECT row FROM search_seen WHERE id = 1)'
const IS_FRESH = `SELECT 1 AS yes FROM search_fresh WHERE created_at = ? AND id = ?
  UNION ALL SELECT 1 FROM messages WHERE id = ? AND ${UNSEEN}`
const PUT_FRESH = 'INSERT OR IGNORE INTO search_fresh (created_at, id) VALUES (?, ?)'
const ANY_UNSEEN = `SELECT 1 AS yes FROM messages WHERE ${UNSEEN} LIMIT 1`
const PUT_UNSEEN = `INSERT OR IGNORE INTO search_fresh (created_at, id) SELECT created_at, id FROM messages
  WHERE ${UNSEEN} AND rowid <= (SELECT row + ${ROWS_A_STEP} FROM search_seen WHERE id = 1)`
const SEE = `UPDATE search_seen SET row = min(row + ${ROWS_A_STEP}, (SELECT max(rowid) FROM messages)) WHERE id = 1`
const DROP_FRESH = 'DELETE FROM search_fresh WHERE created_at = ? AND id = ?'
const NEWEST_FRESH = 'SELECT created_at, id FROM search_fresh ORDER BY created_at DESC, id DESC LIMIT ?'
const NEWEST_UNSEEN = `SELECT created_at, id FROM messages WHERE ${UNSEEN} ORDER BY rowid DESC LIMIT ?`
const FRESH_LEFT = `SELECT count(*) AS n FROM (
  SELECT 1 FROM search_fresh UNION ALL SELECT 1 FROM messages WHERE ${UNSEEN} LIMIT ?)`
const MARK_GONE = `INSERT OR IGNORE INTO search_gone (doc)
  SELECT doc FROM search_docs WHERE doc BETWEEN ${FIRST_DOC} AND ${LAST_DOC} AND id = ?`
const GONE = 'SELECT CAST(doc AS TEXT) AS doc FROM search_gone LIMIT ?'
const DROP_WORDS = 'DELETE FROM search_words WHERE rowid = CAST(? AS INTEGER)'
const DROP_DOC = 'DELETE FROM search_docs WHERE doc = CAST(? AS INTEGER)'
const DROP_GONE = 'DELETE FROM search_gone WHERE doc = CAST(? AS INTEGER)'
const FREE_SLOT = `SELECT CAST(coalesce(max(doc) + 1, ${FIRST_DOC}) AS TEXT) AS doc,
  coalesce(max(doc), 0) < ${LAST_DOC} AS free FROM search_docs WHERE doc BETWEEN ${FIRST_DOC} AND ${LAST_DOC}`
const PUT_DOC = 'INSERT INTO search_docs (doc, id, poll_id, body, marks) VALUES (CAST(? AS INTEGER), ?, ?, ?, ?)'
const PUT_WORDS = 'INSERT INTO search_words (rowid, body, marks) VALUES (CAST(? AS INTEGER), ?, ?)'
const OF_POLL = `SELECT d.id, m.created_at FROM search_docs d JOIN messages m ON m.id = d.id WHERE d.poll_id = ?`
const ALL_FRESH = 'INSERT OR IGNORE INTO search_fresh (created_at, id) SELECT created_at, id FROM messages'
const SEE_ALL = 'UPDATE search_seen SET row = (SELECT coalesce(max(rowid), 0) FROM messages) WHERE id = 1'
const CLEAR = [
  `INSERT INTO search_words (search_words) VALUES ('delete-all')`,
  'DELETE FROM search_docs',
  'DELETE FROM search_gone',
]
// Integers are literals: bound ones arrive as floats, which the index refuses.
const SECURE_OFF = `INSERT INTO search_words (search_words, rank) VALUES ('secure-delete', 0)`
const SECURE_ON = `INSERT INTO search_words (search_words, rank) VALUES ('secure-delete', 1)`
/** Negative: merges all segments of the index, 16 pages at a time; removed content is then erased. */
const MERGE = `INSERT INTO search_words (search_words, rank) VALUES ('merge', -16)`
const CHANGES = 'SELECT total_changes() AS n'

const VERSION = 'search-version'
const PURGE = 'search-purge'

/** The message was written; `stored` is its previous version. A new one is not listed here. */
export function changed(tx: Tx, stored: MessageRow | undefined, row: MessageRow): void {
  if (!stored || isAlike(stored, row)) return
  if (stored.createdAt !== row.createdAt) removed(tx, stored)
  const findable = isSearchable(row, tx.viewerId)
  // One that became unfindable is left out when it is read.
  if (tx.db.get(IS_FRESH, row.createdAt, row.id, row.id) !== undefined) {
    if (!findable) tx.db.run(DROP_FRESH, row.createdAt, row.id)
    return
  }
  markRemoved(tx, row)
  if (findable) tx.db.run(PUT_FRESH, row.createdAt, row.id)
}

/** The message was removed from the cache. */
export function removed(tx: Tx, row: Pick<MessageRow, 'id' | 'createdAt'>): void {
  if (tx.db.run(DROP_FRESH, row.createdAt, row.id) === 0) markRemoved(tx, row)
}

/** The texts of a poll are indexed with its message. */
export function pollChanged(tx: Tx, stored: PollRow | undefined, row: PollRow): void {
  const words = ({ name, description, options }: PollRow): unknown => [
    name,
    description,
    options.map(({ text }) => text),
  ]
  if (stored && isSame(words(stored), words(row))) return
  for (const found of tx.db.all<{ id: MessageId; created_at: number }>(OF_POLL, row.id)) {
    markRemoved(tx, { id: found.id, createdAt: found.created_at })
    tx.db.run(PUT_FRESH, found.created_at, found.id)
  }
}

/** A new fold version, or a damaged index: everything is indexed again in the background. */
export function rebuild(tx: Tx): void {
  for (const statement of CLEAR) tx.db.run(statement)
  tx.db.run(ALL_FRESH)
  tx.db.run(SEE_ALL)
  meta.set(tx, VERSION, String(FOLD_VERSION))
}

/** Checked once at the start. */
export function checkVersion(tx: Tx): void {
  const version = meta.get(tx, VERSION)
  if (version === undefined) meta.set(tx, VERSION, String(FOLD_VERSION))
  else if (version !== String(FOLD_VERSION)) rebuild(tx)
}

type Fresh = { readonly created_at: number; readonly id: string }

/** The newest messages that are not indexed yet: `most` of those that are listed, and `most` of those that are not. */
export const newestFresh = (reader: Reader, most: number): readonly Fresh[] =>
  [NEWEST_UNSEEN, NEWEST_FRESH].flatMap((statement) => reader.db.all<Fresh>(statement, most))

/** Number of messages not indexed yet; counted up to `most`. */
export const freshCount = (reader: Reader, most: number): number =>
  reader.db.get<{ n: number }>(FRESH_LEFT, most)?.n ?? 0

type StepOptions = {
  /** Maximum number of documents. */
  readonly limit: number
  /** No further document is started if this returns true. */
  readonly enough: () => boolean
  /** The message and its poll, from the tables. */
  readonly read: (id: string) => { readonly message: MessageRow; readonly poll: PollRow | undefined } | undefined
}

/**
 * One step of the background work, most urgent first: erasing removed text, then indexing new messages, newest first.
 * Returns whether there may be more.
 */
export function step(tx: Tx, options: StepOptions): boolean {
  const removed = tx.db.all<{ doc: string }>(GONE, MANY)
  if (removed.length > 0) return erase(tx, removed, options)
  if (meta.get(tx, PURGE) === '1') return purge(tx)
  const hasMore = listNew(tx)
  const fresh = tx.db.all<Fresh>(NEWEST_FRESH, options.limit)
  for (const [index, { created_at: createdAt, id }] of fresh.entries()) {
    if (index > 0 && options.enough()) return true
    tx.db.run(DROP_FRESH, createdAt, id)
    const found = options.read(id)
    if (found && isSearchable(found.message, tx.viewerId)) put(tx, found.message, found.poll)
  }
  return hasMore || fresh.length === options.limit
}

/** Lists some of the new messages, oldest first. Returns whether there are more. */
function listNew(tx: Tx): boolean {
  const isLeft = (): boolean => tx.db.get(ANY_UNSEEN) !== undefined
  if (!isLeft()) return false
  tx.db.run(PUT_UNSEEN)
  tx.db.run(SEE)
  return isLeft()
}

/** Above this number, removing documents one by one would block the process for seconds. */
const MANY = 200

/**
 * A few documents are erased at once. Many are only marked as deleted, which is fast; their text is erased when the
 * segments of the index are merged afterwards.
 */
function erase(tx: Tx, removed: readonly { readonly doc: string }[], { limit, enough }: StepOptions): boolean {
  const many = removed.length === MANY || meta.get(tx, PURGE) === '1'
  if (many) {
    meta.set(tx, PURGE, '1')
    tx.db.run(SECURE_OFF)
  }
  for (const [index, { doc }] of removed.slice(0, limit).entries()) {
    if (index > 0 && enough()) break
    tx.db.run(DROP_WORDS, doc)
    tx.db.run(DROP_DOC, doc)
    tx.db.run(DROP_GONE, doc)
  }
  if (many) tx.db.run(SECURE_ON)
  return true
}

function purge(tx: Tx): boolean {
  const count = (): number => tx.db.get<{ n: number }>(CHANGES)?.n ?? 0
  const before = count()
  tx.db.run(MERGE)
  // The documented way to detect that nothing was left to merge: fewer than two rows written.
  if (count() - before < 2) meta.set(tx, PURGE, '0')
  return true
}

function put(tx: Tx, message: MessageRow, poll: PollRow | undefined): void {
  const at = message.createdAt
  const slot = tx.db.get<{ doc: string; free: number }>(FREE_SLOT, at, at, at, at)
  // More than 4,096 messages in one millisecond cannot be written by people.
  if (!slot || slot.free === 0) return
  const body = bodyOf(fieldsOf(message, poll))
  const marks = marksOf(message).join(' ')
  tx.db.run(PUT_DOC, slot.doc, message.id, message.pollId ?? null, body, marks)
  tx.db.run(PUT_WORDS, slot.doc, body, marks)
}

const markRemoved = (tx: Tx, { id, createdAt }: Pick<MessageRow, 'id' | 'createdAt'>): number =>
  tx.db.run(MARK_GONE, createdAt, createdAt, id)

/**
 * Whether the index entries of both would be equal. Cheap checks first: this runs for every message that is written
 * again.
 */
function isAlike(a: MessageRow, b: MessageRow): boolean {
  return (
    a.text === b.text &&
    a.type === b.type &&
    a.createdAt === b.createdAt &&
    a.deletedAt === b.deletedAt &&
    a.shadowed === b.shadowed &&
    a.pollId === b.pollId &&
    a.attachments.length === b.attachments.length &&
    isSame(marksOf(a), marksOf(b)) &&
    a.attachments.every(({ title }, index) => title === b.attachments[index]?.title)
  )
}
