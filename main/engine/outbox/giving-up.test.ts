import { expect, test } from 'vitest'
import { FakeApi, failing, withChannel } from '#kit/lone-engine.ts'
import { reading, send } from '#kit/lone-talk.ts'
import { ApiError } from '../api/errors.ts'

const HOUR = 3_600_000
const refusing = () =>
  withChannel(new FakeApi()).on('SendMessage', () => {
    throw failing({ kind: 'answer', status: 503 }, 'SendMessage')
  })
/** A rate limit with long pauses, so that three days need fewer than ten thousand attempts. */
const limited = () =>
  withChannel(new FakeApi()).on('SendMessage', () => {
    throw new ApiError(
      { kind: 'answer', status: 429, wireCode: 9 },
      { operation: 'SendMessage', retryAfterMs: HOUR / 2 },
    )
  })

test('a message is given up after 72 hours online, not after 72 hours of elapsed time', async () => {
  const lone = await reading([], limited())
  await send(lone, 'hello')
  const state = () => Object.values(lone.replica.tables.outbox ?? {}).map((item) => item.state)
  await lone.clock.advance(40 * HOUR)
  await lone.offline()
  await lone.clock.advance(100 * HOUR)
  await lone.online()
  await lone.clock.advance(31 * HOUR)
  expect(state()).toEqual(['waiting'])
  await lone.clock.advance(2 * HOUR)
  expect(Object.values(lone.replica.tables.outbox ?? {})).toMatchObject([
    { state: 'parked', reason: { code: 'outbox/gave-up' }, retryable: true },
  ])
})

test('a waiting message carries its reason', async () => {
  const lone = await reading([], refusing())
  await send(lone, 'hello')
  await lone.clock.advance(10)
  expect(Object.values(lone.replica.tables.outbox ?? {})).toMatchObject([
    { state: 'waiting', reason: { code: 'server/unavailable' } },
  ])
})
