import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { CACHE_FILE, OUTBOX_FILE } from './files/names.ts'

/**
 * Checks the query plan of every SQL statement of the client, extracted from the source, so that new ones are checked
 * automatically. Statements that may scan a table or sort are listed here with the reason.
 */
const HERE = import.meta.dirname
const FILES = [
  'meta.ts',
  ...['messages', 'channels', 'outbox', 'people', 'search'].flatMap((folder) =>
    readdirSync(join(HERE, folder))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  ),
]

/** Full scans: intended, and never for a single event or page of messages. */
const SCANS: Readonly<Record<string, string>> = {
  'channels/channels.ts ALL': 'the list of channels at the start and after it was loaded',
  'people/users.ts ALL': 'everybody known, for the list of people and when the line is lost',
  'channels/reads.ts OWN_CHANNELS': 'everything was read: one row for each channel, not one for each reader',
  'messages/polls.ts ENDING': 'polls that close by themselves, read once at the start',
  'messages/polls.ts MESSAGE': 'the polls of the account by an index, once for a poll that is about to close',
  'people/mutes.ts CHANNELS': 'a person was muted: every channel is counted anew',
  'people/mutes.ts CLEAR': 'a handful of rows',
  'people/mutes.ts OF': 'a handful of rows',
  'messages/tracks.ts MESSAGES': 'the points of places that are shared live just now, 1,200 of each at most',
  'people/emoji.ts ALL': 'the emoji of the workspace, 500 at most, at the start and when one is changed here',
  'outbox/intents.ts NEXT_SEQ': 'a table of two rows, kept by SQLite itself',
  'outbox/draft-history.ts NEXT_ID': 'a table of two rows, kept by SQLite itself',
  'meta.ts ALL': 'a handful of rows, at the start',
  'outbox/draft-history.ts EVERY': 'each start looks at every row of the outbox',
  'messages/ranges.ts OPEN_ENDED': 'the line was lost: no range reaches the end any more',
  'messages/removal.ts QUOTES': 'all messages of a person were deleted: an index of those that quote',
  'messages/removal.ts THREADS': 'a channel was truncated: one row for each stretch of a list',
  'messages/removal.ts PRUNE': 'once a day',
  'messages/retention.ts COUNT': 'asked by the settings screen',
  'messages/retention.ts CHANNELS': 'once a day, and one row for each channel',
  'search/docs.ts ALL_FRESH': 'another way of folding, or a damaged index',
  'search/docs.ts CLEAR': 'another way of folding, or a damaged index',
  'search/resolve.ts PEOPLE': 'a name in a question; in the search thread',
  'search/resolve.ts CHANNELS': 'a name in a question; in the search thread',
  'search/names.ts PEOPLE': 'the quick switcher; in the search thread',
  'messages/retention.ts AGE_AT': 'the cache is over its budget: once, then it fits for a while',
  'outbox/uploads.ts ANNOUNCED': 'a file was chosen: those on their way, bounded by the 200 MB',
  'people/reminders.ts ALL': 'the list of reminders, a few dozen',
  'people/reminders.ts FORGET_MARKS': 'once a day, a few dozen',
  'outbox/reminder-notes.ts ALL': 'the list of reminders, a few dozen',
  'outbox/reminder-notes.ts FORGET_OLD': 'once a day, a few dozen',
  'outbox/thread-follows.ts ALL': 'threads followed by hand, a few dozen, read once',
  'outbox/local-reads.ts ALL': 'channels and threads read without a trace, read once',
  'outbox/intents.ts COUNT': 'the outbox, bounded at 10,000 rows and a few as a rule',
  'outbox/intents.ts INFLIGHT': 'once at the start',
  'outbox/uploads.ts STAGED': 'files on their way, a few dozen',
  'outbox/drafts.ts ALL': 'the list of drafts, a few dozen',
  'outbox/intents.ts ALL': 'the outbox, bounded at 10,000 rows, read at the start',
  'outbox/uploads.ts ALL': 'files on their way, a few dozen',
}

/** Sorts of few rows. */
const SORTS: Readonly<Record<string, string>> = {
  'messages/messages.ts BY_IDS': 'the order of the question, a page at most',
  'people/users.ts BY_IDS': 'the order of the question, a page at most',
  'outbox/uploads.ts BY_IDS': 'the order of the question, thirty at most',
  'people/users.ts ALL': 'everybody known, by name, for a list of people',
  'outbox/uploads.ts ALL': 'files on their way, a few dozen',
  'outbox/drafts.ts OF_CHANNEL': 'drafts of one channel',
  'outbox/drafts.ts ALL': 'the list of drafts, a few dozen',
}

/** Only reads the first row, or has a bound. */
const BOUNDED = /LIMIT (1|\?)\)?$|FROM json_each\(\?\)/

type Found = { readonly name: string; readonly sql: string }

const SQL = /^\s*(SELECT|INSERT|UPDATE|DELETE)\b/
const LITERAL = /`[^`]*`|'(?:[^'\\]|\\.)*'/g

function statements(): Found[] {
  const sources = FILES.map((file) => ({ file, text: readFileSync(join(HERE, file), 'utf8') }))
  const known = new Map<string, string>()
  const found: { file: string; name: string; text: string }[] = []
  for (const { file, text } of sources) {
    for (const match of text.matchAll(
      /const ([A-Z][A-Z_0-9]*)(?:: [^=]+)? =\s*(\[[^\]]*\]|`[^`]*`|'(?:[^'\\]|\\.)*'|[\d_]+)/g,
    )) {
      const [, name = '', value = ''] = match
      const parts = value.startsWith('[') ? [...value.matchAll(LITERAL)].map(([part]) => part) : [value]
      for (const part of parts) {
        const literal = /^[`']/.test(part) ? part.slice(1, -1) : part.replaceAll('_', '')
        if (!value.startsWith('[')) known.set(`${file} ${name}`, literal).set(name, literal)
        found.push({ file, name, text: literal })
      }
    }
  }
  return found.flatMap(({ file, name, text }) => {
    const sql = resolve(text, file, known)
    return SQL.test(sql) ? [{ name: `${file} ${name}`, sql }] : []
  })
}

function resolve(text: string, file: string, known: ReadonlyMap<string, string>): string {
  let sql = text
  for (let depth = 0; depth < 5 && sql.includes('${'); depth += 1) {
    sql = sql.replaceAll(/\$\{([^}]*)\}/g, (_, name: string) => known.get(`${file} ${name}`) ?? known.get(name) ?? '1')
  }
  return sql.replaceAll(/\s+/g, ' ').trim()
}

const ALL = statements()
let databases: readonly Database.Database[] = []

beforeAll(() => {
  databases = [CACHE_FILE, OUTBOX_FILE].map(({ migrations }) => {
    const raw = new Database(':memory:')
    raw.exec('CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID')
    migrate(raw, migrations)
    return raw
  })
})

afterAll(() => {
  for (const raw of databases) raw.close()
})

/** The plan in the database that has its tables. */
function planOf(sql: string): readonly string[] {
  const owner = databases.find((raw) => {
    try {
      raw.prepare(sql)
      return true
    } catch {
      // The statement belongs to the other database.
      return false
    }
  })
  expect({ sql, isOurs: owner !== undefined }).toEqual({ sql, isOurs: true })
  const binds = Array.from({ length: sql.split('?').length - 1 }, () => null)
  return (
    owner
      ?.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...binds)
      .map(({ detail }) => detail) ?? []
  )
}

/** Walking an index in the wanted order is not a scan; walking a table, or an index without a condition, is. */
const isScan = (detail: string): boolean =>
  /^SCAN (?!json_each|wanted|\(subquery|CONSTANT|\d)/.test(detail) && !detail.includes('VIRTUAL TABLE')

describe('every statement', () => {
  test('is found', () => {
    expect(ALL.length).toBeGreaterThan(100)
    const names = new Set(ALL.map(({ name }) => name))
    expect([...Object.keys(SCANS), ...Object.keys(SORTS)].filter((name) => !names.has(name))).toEqual([])
  })

  test.each(ALL)('$name uses an index', ({ name, sql }) => {
    const scans = planOf(sql).filter(isScan)
    const isAllowed = Object.hasOwn(SCANS, name) || BOUNDED.test(sql)
    expect({ sql, scans: isAllowed ? [] : scans }).toEqual({ sql, scans: [] })
  })

  test.each(ALL)('$name sorts nothing', ({ name, sql }) => {
    const sorts = planOf(sql).filter((detail) => detail.includes('TEMP B-TREE FOR ORDER BY'))
    expect({ sql, sorts: Object.hasOwn(SORTS, name) ? [] : sorts }).toEqual({ sql, sorts: [] })
  })
})
