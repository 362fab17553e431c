import { expect, test } from 'vitest'
import { readCall, readIntegration, readTest } from './feature.ts'

const NOTHING = [undefined, null, 5, 'x', [], [[]], {}, { id: {} }, { id: '', kind: 'incoming' }]

test.each([
  ['an integration', readIntegration, [{ id: 'i1', kind: 'telepathy' }]],
  [
    'a call',
    readCall,
    [
      { id: 1, at: 'soon', outcome: 'posted' },
      { id: 1, at: '2026-11-20T10:00:00Z', outcome: 7 },
    ],
  ],
  ['a test', readTest, [{ outcome: 'fine' }, { outcome: [] }]],
])('what is not %s counts as absent', (_what, read, more) => {
  expect([...NOTHING, ...more].map((each) => read(each)).filter((each) => each !== undefined)).toEqual([])
})

test('an integration with unusable parts has the others', () => {
  const read = readIntegration({
    id: 'i1',
    kind: 'outgoing',
    name: [],
    cid: 5,
    url: { href: 'javascript:alert(1)' },
    events: ['message.new', 'world.ended', 7],
    created_by: null,
    created_at: 'once',
    paused: 'yes',
    fails: -1,
    waiting: { count: 3, tries: 'many' },
    last_outcome: 'unheard',
  })
  expect(read).toMatchObject({
    id: 'i1',
    kind: 'outgoing',
    name: 'i1',
    events: ['message.new'],
    createdAt: 0,
    fails: 0,
  })
  expect(read?.paused).toBe(false)
  expect([read?.cid, read?.url, read?.waiting, read?.lastOutcome].filter((each) => each !== undefined)).toEqual([])
})

test('a call and a test with unusable parts have the others', () => {
  const at = '2026-11-20T10:00:00Z'
  expect(readCall({ id: 4, at, outcome: 'posted', took: 'long', status: {}, what: 9 })).toMatchObject({
    id: 4,
    at: Date.parse(at),
    took: 0,
    what: '',
  })
  expect(readTest({ outcome: 'answered', took: null, cid: {}, message_id: [], answer: 5 })).toMatchObject({
    outcome: 'answered',
    took: 0,
  })
})
