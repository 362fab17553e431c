import { expect, test } from 'vitest'
import { openTestStores } from '#kit/stores.ts'
import { readFiledReport, readItem, readOwnReport, whenOf } from './decode.ts'

const inTx = <T>(work: (tx: Parameters<typeof readItem>[0]) => T): T => openTestStores().cache.transaction(work)

const AT = '2026-11-27T10:00:00.000000Z'
const AS_OF = Date.parse(AT)
const ITEM = {
  id: 'r1',
  entity_type: 'stream:chat:v1:message',
  entity_id: 'm1',
  entity_creator: { id: 'kirill', name: 'Kirill' },
  status: 'needs_review',
  recommended_action: 'flag',
  channel_cid: 'team:a',
  flags: [
    { type: 'user_report', reason: 'spam', user_id: 'luis', created_at: AT },
    { type: 'blocklist', labels: ['maps', 'sale'], created_at: AT },
  ],
  actions: [],
  bans: [],
  message: { id: 'm1', cid: 'team:a', text: 'shown', type: 'regular', attachments: [{}], user: { id: 'kirill' } },
  created_at: AT,
  updated_at: AT,
}

test('an item says what was said, who reported it, and which rule caught it', () => {
  expect(inTx((tx) => readItem(tx, ITEM, AS_OF, new Map()))).toMatchObject({
    id: 'r1',
    subject: 'message',
    authorId: 'kirill',
    cid: 'team:a',
    text: 'shown',
    fileCount: 1,
    status: 'waiting',
    state: 'there',
    reports: [
      { byId: 'luis', reason: 'spam', at: AS_OF },
      { byId: undefined, rule: 'maps, sale' },
    ],
  })
})

test.each([
  ['blocked', { message: { ...ITEM.message, type: 'error' } }],
  ['hidden', { message: { ...ITEM.message, shadowed: true } }],
  ['masked', { recommended_action: 'mask' }],
] as const)('a message that is %s is marked, and its author’s own text is shown', (caught, more) => {
  const wire = { ...ITEM, ...more, moderation_payload: { texts: ['as written'] } }
  expect(inTx((tx) => readItem(tx, wire, AS_OF, new Map()))).toMatchObject({ caught, text: 'as written' })
})

test('a decided item names who decided; of a message that is gone nothing else is known', () => {
  const actions = [{ type: 'delete_message', user: { id: 'ewa' }, created_at: AT }]
  const wire = { ...ITEM, status: 'reviewed', reviewed_at: AT, actions, message: undefined }
  expect(inTx((tx) => readItem(tx, wire, AS_OF, new Map()))).toMatchObject({
    status: 'decided',
    state: 'gone',
    decidedById: 'ewa',
    decidedAt: AS_OF,
    decisions: [{ action: 'delete', byId: 'ewa' }],
  })
})

test('dates of nanoseconds are read as times', () => {
  expect(whenOf(AS_OF * 1_000_000)).toBe(AS_OF)
  expect(whenOf(0)).toBeUndefined()
  expect(whenOf(Number.NaN)).toBeUndefined()
  expect(whenOf('never')).toBeUndefined()
  expect(whenOf(null)).toBeUndefined()
})

test.each([
  ['deleted', 'deleted'],
  ['action_taken', 'acted'],
  ['no_action', 'none'],
  ['constructor', 'none'],
  [undefined, 'none'],
] as const)('the result %s of one’s own report is shown as %s', (review_result, shown) => {
  const wire = { reason: 'spam', target_message_id: 'm1', created_at: AT, reviewed_at: AT, review_result }
  expect(inTx((tx) => readOwnReport(tx, wire, AS_OF))?.outcome).toBe(shown)
})

const JUNK: readonly unknown[] = [
  null,
  7,
  'text',
  [],
  {},
  { id: '' },
  { id: 'r', flags: 'no', actions: 7, bans: {}, message: [], moderation_payload: { texts: [7, null] } },
  { id: 'r', flags: [null, 7, { user: [] }, { user_id: {} }], actions: [{}, { created_at: 'x' }], entity_creator: 'x' },
  { id: 'r', entity_type: 'stream:user', created_at: {}, updated_at: [], channel_cid: 'nowhere' },
]

test.each(JUNK.map((value) => [JSON.stringify(value), value]))(
  'whatever a server sends is read or left out: %s',
  (_name, value) => {
    const read = inTx((tx) => [readItem, readFiledReport, readOwnReport].map((one) => one(tx, value, AS_OF, new Map())))
    expect(read).toHaveLength(3)
  },
)
