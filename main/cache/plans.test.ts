import { afterAll, beforeAll } from 'vitest'
import { checkPlans } from '#kit/plans.ts'
import type { Raw } from '#main/lib/sqlite/connection.ts'
import { memoryDatabase } from '#main/lib/sqlite/disk.ts'
import { createTables, CACHE_FILE, OUTBOX_FILE } from './files/database-file.ts'

const SCANS: Readonly<Record<string, string>> = {
  'files/journal.ts LIVE': 'the outbox and drafts, counted with each commit by their smallest indexes',
  'channels/channels.ts ALL': 'the list of channels at the start and after it was loaded',
  'people/users.ts ALL': 'everyone known, for the list of people and when the connection is lost',
  'people/users.ts STATUS_ENDS': 'statuses that end by themselves, read once at the start',
  'channels/reads.ts OWN_CHANNELS': 'everything was read: one row for each channel, not one for each reader',
  'messages/polls.ts ENDING': 'polls that close by themselves, read once at the start',
  'messages/polls.ts MESSAGE': 'the polls of the account by an index, once for a poll that is about to close',
  'people/mutes.ts CHANNELS': 'a person was muted: every channel is counted again',
  'people/mutes.ts CLEAR': 'a handful of rows',
  'people/mutes.ts OF': 'a handful of rows',
  'messages/tracks.ts MESSAGES': 'the points of places that are shared live just now, 1,200 of each at most',
  'people/emoji.ts ALL': 'the emoji of the workspace, 500 at most, at the start and when one is changed here',
  'outbox/intents.ts NEXT_SEQ': 'a table of two rows, kept by SQLite itself',
  'outbox/drafts.ts NEXT_VERSION_ID': 'a table of two rows, kept by SQLite itself',
  'meta.ts ALL': 'a handful of rows, at the start',
  'outbox/drafts.ts EVERY_VERSION': 'each start looks at every row of the outbox',
  'messages/ranges.ts OPEN_ENDED': 'the connection was lost: no range reaches the end any more',
  'messages/removal.ts QUOTES': 'all messages of a person were deleted: an index of those that quote',
  'messages/removal.ts THREADS': 'a channel was truncated: one row for each stretch of a list',
  'messages/removal.ts PRUNE': 'once a day',
  'messages/retention.ts COUNT': 'asked by the settings screen',
  'messages/retention.ts CHANNELS': 'once a day, and one row for each channel',
  'search/docs.ts ALL_FRESH': 'another way of folding, or a damaged index',
  'search/docs.ts CLEAR': 'another way of folding, or a damaged index',
  'search/query.ts USERS': 'a name in a question; in the search thread',
  'search/query.ts NAMED_CHANNELS': 'a name in a question; in the search thread',
  'search/query.ts PEOPLE': 'the quick switcher; in the search thread',
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
  'people/users.ts ALL': 'everyone known, by name, for a list of people',
  'outbox/uploads.ts ALL': 'files on their way, a few dozen',
  'outbox/drafts.ts OF_CHANNEL': 'drafts of one channel',
  'outbox/drafts.ts ALL': 'the list of drafts, a few dozen',
}

const COMPOSED: Readonly<Record<string, string>> = {
  'files/database-file.ts answers': 'the first and the last row of each table, at the start',
  'files/salvage.ts readableKeys': 'a salvage reads everything',
  'files/sums.ts insertInto': 'writes one row',
  'files/sums.ts update': 'writes one row, by its key',
}

let databases: readonly Raw[] = []

beforeAll(() => {
  databases = [CACHE_FILE, OUTBOX_FILE].map(({ migrations }) => {
    const raw = memoryDatabase()
    createTables(raw, migrations)
    return raw
  })
})

afterAll(() => {
  for (const raw of databases) raw.close()
})

checkPlans({ room: 'main/cache/', databases: () => databases, scans: SCANS, sorts: SORTS, composed: COMPOSED })
