import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { contract } from './index.ts'

/** Which inputs the bridge accepts. */
const accepts = (schema: v.GenericSchema, input: unknown): boolean => v.safeParse(schema, input).success
const cid = 'team:general'
const place = { cid, latitude: 50, longitude: 20 }
const poll = { cid, name: 'Lunch?', options: ['Soup'] }
const file = { cid, name: 'a.txt', sizeBytes: 1, mimeType: 'text/plain' }
const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `option ${at}`)

describe('a composition names its channel', () => {
  test.each<[string, v.GenericSchema, object]>([
    ['a message', contract.messages.send.input, { cid, text: 'hello' }],
    ['a draft', contract.drafts.save.input, { cid, text: 'hello' }],
    ['a file', contract.uploads.begin.input, file],
    ['a poll', contract.polls.create.input, poll],
    ['a place', contract.locations.share.input, place],
  ])('AGR-51 %s', (_what, schema, whole) => {
    const { cid: _cid, ...without } = whole as { cid: string }
    expect(accepts(schema, whole)).toBe(true)
    expect(accepts(schema, without)).toBe(false)
    expect(accepts(schema, { ...without, cid: '' })).toBe(false)
  })
})

test('AGR-52 a live share lasts 60000 ms at least, and a place has both its coordinates', () => {
  const { input } = contract.locations.share
  const { latitude: _latitude, ...half } = place
  expect([{ ...place, forMs: 59_999 }, { ...place, forMs: 60_000 }, half].map((each) => accepts(input, each))).toEqual([
    false,
    true,
    false,
  ])
})

test('a poll has a question, 1 to 100 options, and a limit of 2 to 10 votes', () => {
  const { input } = contract.polls.create
  const given = [{ name: ' ' }, { options: [] }, { options: many(100) }, { options: many(101) }]
  expect(given.map((each) => accepts(input, { ...poll, ...each }))).toEqual([false, false, true, false])
  const limits = [1, 2, 10, 11, 2.5].map((maxVotes) => accepts(input, { ...poll, maxVotes }))
  expect(limits).toEqual([false, true, true, false, false])
})

test('a reaction names its message and its type', () => {
  const { input } = contract.messages.toggleReaction
  const given = [
    { messageId: 'm1', type: 'like' },
    { messageId: '', type: 'like' },
    { messageId: 'm1', type: '' },
  ]
  expect(given.map((each) => accepts(input, each))).toEqual([true, false, false])
})
