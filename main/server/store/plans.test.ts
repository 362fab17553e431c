import { afterAll, expect, test } from 'vitest'
import { EXPIRED_PINS } from '../due.ts'
import { channelSql } from '../query/channels.ts'
import { memberSql } from '../query/people.ts'
import { cursorSql, type CursorList } from '../query/cursor.ts'
import { draftList, historyList, pollList, reactionList, reminderList, voteList } from '../query/lists.ts'
import { searchList } from '../query/search.ts'
import { threadList } from '../query/threads.ts'
import { pinnedSql } from '../rules/pins.ts'
import { openStore } from './open.ts'
import { EVENTS_SINCE } from './tables/events.ts'
import { ENDED_LOCATIONS, LIVE_OF_CHANNEL, LIVE_OF_USER } from './tables/locations.ts'
import { MEMBER_PAGE, TOTALS } from './tables/members.ts'
import { THREAD_TOTALS } from './tables/participants.ts'
import { pageSql, PINNED, type Step } from './tables/messages.ts'
import { REACTION_PAGE } from './tables/reactions.ts'
import { DUE_REMINDERS } from './tables/reminders.ts'
import { FIRST_REPLY, LAST_REPLY, PARTICIPATIONS } from './tables/threads.ts'

const db = openStore(':memory:')
afterAll(() => db.close())

const ann = { userId: 'ann', role: 'user', banned: false, server: false, expiresAtMs: undefined }
const page = { sort: [], limit: 10, offset: 0 }
const own = channelSql(ann, { ...page, filter: { members: { $in: ['ann'] } } })
const cids = channelSql(ann, { ...page, filter: { members: { $in: ['ann'] }, cid: { $in: ['a:b'] } } })
const open = channelSql(ann, { ...page, filter: {} })
const members = memberSql('a:b', { ...page, filter: { name: { $autocomplete: 'an' } } })

/** A page behind a cursor: the hardest form of the list. */
function listed(list: CursorList<unknown>): string {
  const first = cursorSql(list, {})
  const place = { v: 1, sort: first.name, at: list.defaultSort.map(() => 1), back: false }
  const marks = first.sql.split('json_array(')[1]?.split(') AS place')[0] ?? ''
  const columns = topLevelParts(marks)
  const next = Buffer.from(JSON.stringify({ ...place, at: columns.map(() => 1) })).toString('base64url')
  return cursorSql(list, { next }).sql
}

/** Parts between commas that stand in no bracket. */
function topLevelParts(text: string): string[] {
  let depth = 0
  const parts = ['']
  for (const sign of text) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
    if (sign === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts
}

const words = searchList({ cids: [], viewer: 'ann', expression: '"a"', filter: {} })
const inOne = searchList({ cids: ['a:b'], viewer: 'ann', expression: undefined, filter: {} })
const files = searchList({
  cids: ['a:b'],
  viewer: 'ann',
  expression: undefined,
  filter: { 'attachments.type': { $in: ['image'] } },
})
const noWords = searchList({ cids: [], viewer: 'ann', expression: undefined, filter: {} })

const STEPS: readonly Step[] = ['newest', 'before', 'upTo', 'after', 'from']

const QUERIES: readonly [name: string, sql: string, index: RegExp, sorted: boolean][] = [
  ...STEPS.map(
    (step) =>
      [`channel page: ${step}`, pageSql('channel', step), /INDEX messages_page /, true] as [
        string,
        string,
        RegExp,
        boolean,
      ],
  ),
  ...STEPS.map(
    (step) =>
      [`replies page: ${step}`, pageSql('replies', step), /INDEX messages_replies /, true] as [
        string,
        string,
        RegExp,
        boolean,
      ],
  ),
  ['pinned messages', PINNED, /INDEX messages_pinned /, true],
  ['members page', MEMBER_PAGE, /INDEX members_by_time /, true],
  ['reactions page', REACTION_PAGE, /INDEX reactions_by_time /, true],
  ['events since', EVENTS_SINCE, /INDEX events_of_channel /, false],
  ['unread totals', TOTALS, /INDEX members_(unread|of_user) /, false],
  ['unread threads', THREAD_TOTALS, /thread_participants_of_user .*\n[^]*INDEX messages_replies /, false],
  ['expired pins', EXPIRED_PINS, /INDEX messages_pin_ends /, false],
  ['own channels', own.sql, /SEARCH me USING .*INDEX members_of_user /, false],
  ['own channels by cid', cids.sql, /SEARCH (c|me) USING/, false],
  ['open channels', open.sql, /USING .*INDEX channels_by_activity/, false],
  ['drafts', listed(draftList('ann', {})), /SEARCH d USING .*INDEX drafts_by_time /, true],
  ['reminders', listed(reminderList('ann', {})), /SEARCH r USING .*INDEX reminders_by_time /, true],
  ['reactions with cursors', listed(reactionList('m', {})), /INDEX reactions_by_time /, false],
  ['history', listed(historyList({ message_id: 'm' })), /INDEX message_history_by_time /, true],
  ['polls', listed(pollList('ann', false, {})), /INDEX polls_by_time/, true],
  ['votes', listed(voteList('p', undefined, {})), /INDEX poll_votes_by_time /, false],
  ['threads', listed(threadList('ann', {})), /SEARCH p USING .*INDEX thread_participants_of_user /, false],
  ['search by words', listed(words), /SCAN w VIRTUAL TABLE INDEX/, true],
  ['search without words', listed(noWords), /SEARCH m USING INDEX messages_of_channel /, false],
  ['search without words in one channel', listed(inOne), /SEARCH m USING INDEX messages_of_channel /, true],
  ['files of one channel', listed(files), /SEARCH m USING INDEX messages_with_attachments /, true],
  ['pins before a place', pinnedSql('before'), /INDEX messages_pinned /, true],
  ['pins after a place', pinnedSql('after'), /INDEX messages_pinned /, true],
  ['due reminders', DUE_REMINDERS, /INDEX reminders_due /, false],
  ['ended locations', ENDED_LOCATIONS, /INDEX locations_live /, false],
  ['own live locations', LIVE_OF_USER, /INDEX locations_of_user /, false],
  ['live locations of a channel', LIVE_OF_CHANNEL, /INDEX locations_of_channel /, false],
  ['first reply', FIRST_REPLY, /INDEX messages_replies /, true],
  ['last reply', LAST_REPLY, /INDEX messages_replies /, true],
  ['participants of a thread', PARTICIPATIONS, /SEARCH p USING PRIMARY KEY/, false],
  ['members by name', members.sql, /SEARCH m USING .*INDEX members_by_time |SEARCH m USING PRIMARY KEY/, false],
]

test.each(QUERIES)('%s is found by an index', (_name, sql, index, sorted) => {
  const parameters = Array.from({ length: sql.split('?').length - 1 }, () => 1)
  const plan = db.explain(sql, ...parameters).join('\n')
  expect(plan).toMatch(index)
  expect(plan).not.toMatch(/SCAN (messages|members|reactions|events)(?! USING)/)
  expect(sorted && plan.includes('TEMP B-TREE')).toBe(false)
})

test('a commit waits for the disk', () => {
  expect(Number(db.pragma('synchronous'))).toBe(2)
})
