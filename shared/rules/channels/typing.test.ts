import { expect, test } from 'vitest'
import { asUserId } from '#shared/lib/brand.ts'
import {
  mayPublishTyping,
  mayResendTyping,
  nextExpiry,
  withoutExpired,
  withTypist,
  withoutTypist,
  MAX_TYPISTS,
  type Typists,
} from './typing.ts'

const bob = asUserId('bob')

test('AGR-04 a typist is dropped seven seconds after the last event', () => {
  const typists = withTypist(new Map(), { id: bob, name: 'Bob' }, 1_000)
  expect(nextExpiry(typists, 2_000)).toBe(6_000)
  expect([...withoutExpired(typists, 7_999).keys()]).toEqual(['bob'])
  expect([...withoutExpired(typists, 8_000)]).toEqual([])
})

test('the first typists of a crowd are remembered, and stay while they type', () => {
  const everybody = Array.from({ length: 5_000 }, (_none, at) => ({ id: asUserId(`u${at}`), name: `U ${at}` }))
  const crowd = everybody.reduce<Typists>((typists, each, at) => withTypist(typists, each, at), new Map())
  expect(crowd.size).toEqual(MAX_TYPISTS)
  expect(crowd.has(asUserId('u0'))).toBe(true)
  expect(crowd.has(asUserId('u4999'))).toBe(false)
  expect(withTypist(crowd, { id: asUserId('u0'), name: 'U 0' }, 9_000).get(asUserId('u0'))?.at).toBe(9_000)
})

test('typing.stop removes at once', () => {
  expect(withoutTypist(withTypist(new Map(), { id: bob, name: 'Bob' }, 0), bob).size).toBe(0)
})

test('AGR-05 typing.start repeats every two seconds at most', () => {
  expect(mayResendTyping(undefined, 0)).toBe(true)
  expect(mayResendTyping(0, 1_999)).toBe(false)
  expect(mayResendTyping(0, 2_000)).toBe(true)
})

test('AGR-55 typing is published only when channel, connection and user agree', () => {
  const yes = { config: { typingEvents: true }, capabilities: [], healthy: true, publishTyping: true }
  expect(mayPublishTyping(yes)).toBe(true)
  expect(mayPublishTyping({ ...yes, config: { typingEvents: false } })).toBe(false)
  expect(mayPublishTyping({ ...yes, healthy: false })).toBe(false)
  expect(mayPublishTyping({ ...yes, publishTyping: false })).toBe(false)
  expect(mayPublishTyping({ ...yes, capabilities: ['send-message'] })).toBe(false)
})
