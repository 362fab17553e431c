import { createHash } from 'node:crypto'
import type { Db } from '../store/db.ts'

/** Letters that Unicode does not decompose. See docs/wire.md 7.18 "diacritics". */
const LETTERS: Readonly<Record<string, string>> = { ł: 'l', đ: 'd', ø: 'o', ß: 'ss', æ: 'ae', ё: 'е' }

/** Lower case, without accents. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[łđøßæё]/g, (letter) => LETTERS[letter] ?? letter)
}

/** ` anna maria`: each word with a leading space, so that " an" matches words with this prefix. */
export function toWords(text: string): string {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => ` ${word}`)
    .join('')
}

/**
 * The tokens of a message in the search index: its folded words, its author and its channel, in one column. No word
 * can look like a mark, since words are letters and digits only.
 *
 * Author and channel are in the index because a common word by a rare author would otherwise scan the whole
 * history: the index intersects two lists in steps of the shorter one.
 */
export function indexedWords(text: string, userId: string, cid: string): string {
  const words = toWords(text).trim()
  return words === '' ? '' : `${words} ${authorMark(userId)} ${channelMark(cid)}`
}

export const authorMark = (userId: string): string => `@${short(userId)}`
export const channelMark = (cid: string): string => `#${short(cid)}`

/** Ids may contain any character and be long. A collision only costs time: the search also compares the ids. */
function short(id: string): string {
  const known = shorts.get(id)
  if (known !== undefined) return known
  const made = createHash('sha256').update(id).digest('hex').slice(0, 12)
  if (shorts.size >= MAX_SHORTS) shorts.clear()
  shorts.set(id, made)
  return made
}

/** The same people write in the same channels again and again. */
const shorts = new Map<string, string>()
const MAX_SHORTS = 2_000

type Indexed = {
  readonly id: string
  readonly user_id: string
  readonly cid: string
  readonly text: string
  readonly created_at: number
  readonly deleted_at: number | null
  readonly doc: number | null
}

const INDEXED = 'SELECT id, user_id, cid, text, created_at, deleted_at, doc FROM messages'

/** Updates the search index for one message; a deleted message is removed from it. */
export function indexWords(db: Db, id: string): void {
  const row = db.get<Indexed>(INDEXED + ' WHERE id = ?', id)
  if (row) index(db, row)
}

function index(db: Db, row: Indexed): void {
  const doc = row.doc ?? freeDoc(db, row.created_at)
  if (row.doc === null) db.run('UPDATE messages SET doc = ? WHERE id = ?', doc, row.id)
  else db.run('DELETE FROM message_words WHERE rowid = ?', doc)
  if (row.deleted_at === null) insert(db, { doc, words: indexedWords(row.text, row.user_id, row.cid) })
}

/** Entries of the index that are not written yet: see {@link indexNew}. */
type Waiting = { readonly entries: readonly Entry[]; run(): void }
type Entry = { readonly doc: number; readonly words: string }

const NAME = 'words'

/** So many new messages are written to the index together. */
export const WORDS_TOGETHER = 100

/**
 * Adds a new message to the index, later: with {@link WORDS_TOGETHER} others, before a statement that the index
 * concerns, or when the store is closed. Written with each message, the index is a fifth of the pages of its commit.
 * Every new message is counted here, with words or without, so that what is not written yet is among the newest rows:
 * {@link indexNewest} looks there after an unclean end.
 */
export function indexNew(db: Db, doc: number, row: Pick<Indexed, 'text' | 'user_id' | 'cid' | 'deleted_at'>): void {
  const words = row.deleted_at === null ? indexedWords(row.text, row.user_id, row.cid) : ''
  const waiting = db.words.of(NAME) as Waiting | undefined
  const entries = [...(waiting?.entries ?? []), { doc, words }]
  const run = (): void => {
    const write = (): void => entries.forEach((entry) => insert(db, entry))
    // Of its own, each entry would be a commit.
    if (db.isInTransaction()) write()
    else db.transaction(write)
  }
  const next: Waiting = { entries, run }
  db.words.put(NAME, next)
  if (entries.length >= WORDS_TOGETHER) db.words.flush()
}

function insert(db: Db, { doc, words }: Entry): void {
  if (words !== '') db.run('INSERT INTO message_words (rowid, words) VALUES (?, ?)', doc, words)
}

/** Looking further would take the square of as many messages as have one time. */
const MOST_PROBES = 200

/** The creation time, or the next microsecond that no message of another channel has; among very many, after all. */
export function freeDoc(db: Db, at: number): number {
  let doc = at
  while (db.get('SELECT 1 FROM messages WHERE doc = ?', doc)) {
    doc += 1
    if (doc - at >= MOST_PROBES)
      return (db.get<{ last: number }>('SELECT max(doc) AS last FROM messages')?.last ?? doc) + 1
  }
  return doc
}

const BATCH = 1_000

/** Indexes messages that an older Parlor wrote without an index. Runs once, when the store opens. */
export function indexOldMessages(db: Db): number {
  let done = 0
  for (;;) {
    const rows = db.all<Indexed>(INDEXED + ' WHERE doc IS NULL ORDER BY created_at LIMIT ?', BATCH)
    if (rows.length === 0) return done
    db.transaction(() => rows.forEach((row) => index(db, row)))
    done += rows.length
  }
}

/** Indexes those of the newest messages that waited for it when the server ended. Runs when the store opens. */
export function indexNewest(db: Db): void {
  const rows = db.all<Indexed>(INDEXED + ' ORDER BY rowid DESC LIMIT ?', WORDS_TOGETHER)
  const missing = rows.filter(({ doc }) => doc !== null && !isIndexed(db, doc))
  if (missing.length > 0) db.transaction(() => missing.forEach((row) => index(db, row)))
}

const isIndexed = (db: Db, doc: number): boolean =>
  db.get('SELECT 1 FROM message_words WHERE rowid = ?', doc) !== undefined
