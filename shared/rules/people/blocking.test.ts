import { expect, test } from 'vitest'
import { type Intent, NO_CHANNEL } from '#shared/domain/intent.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { predictBlocked } from './people.ts'

const request = (kind: 'block-person' | 'unblock-person', who: string, over: Partial<Intent> = {}): Intent =>
  ({
    id: `${kind}-${who}`,
    seq: 1,
    kind,
    cid: NO_CHANNEL,
    state: 'ready',
    attempts: 0,
    nextAt: 0,
    retryable: true,
    createdAt: 1,
    payload: { userId: asUserId(who) },
    ...over,
  }) as Intent
const bob = asUserId('bob')

test.each([
  ['nothing is pending', true, [], true],
  ['a block is pending', false, [request('block-person', 'bob')], true],
  ['an unblock is pending', true, [request('unblock-person', 'bob')], false],
  ['the last intent wins', false, [request('block-person', 'bob'), request('unblock-person', 'bob')], false],
  ['it concerns another person', false, [request('block-person', 'carol')], false],
  ['the server refused it', false, [request('block-person', 'bob', { state: 'parked' })], false],
])('blocked state when %s', (_what, fact, intents, blocked) => {
  expect(predictBlocked(fact, intents, bob)).toBe(blocked)
})
