import { afterAll, expect, test } from 'vitest'
import { EXPIRED_PINS } from '../due.ts'
import { channelSql } from '../query/channels.ts'
import { memberSql } from '../query/people.ts'
import { openStore } from './open.ts'
import { EVENTS_SINCE } from './tables/events.ts'
import { MEMBER_PAGE, TOTALS } from './tables/members.ts'
import { THREAD_TOTALS } from './tables/participants.ts'
import { pageSql, PINNED, type Step } from './tables/messages.ts'
import { REACTION_PAGE } from './tables/reactions.ts'

const db = openStore(':memory:')
afterAll(() => db.close())

const ann = { userId: 'ann', role: 'user', banned: false, server: false, expiresAtMs: undefined }
const page = { sort: [], limit: 10, offset: 0 }
const own = channelSql(ann, { ...page, filter: { members: { $in: ['ann'] } } })
const cids = channelSql(ann, { ...page, filter: { members: { $in: ['ann'] }, cid: { $in: ['a:b'] } } })
const open = channelSql(ann, { ...page, filter: {} })
const members = memberSql('a:b', { ...page, filter: { name: { $autocomplete: 'an' } } })

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
