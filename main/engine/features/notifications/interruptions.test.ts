import { expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { aLoneEngine } from '#kit/lone-engine.ts'
import { aFolder } from '#kit/stores.ts'

const [GENERAL, RANDOM] = [asCid('team:general'), asCid('team:random')]
const DAY_MS = 86_400_000

test('the notifications of a week are counted by channel, most first, and survive a restart', async () => {
  const folder = aFolder()
  const lone = await aLoneEngine({ folder })
  lone.engine.countInterruption(RANDOM)
  lone.engine.countInterruption(GENERAL)
  lone.engine.countInterruption(GENERAL)
  await lone.engine.stop()
  const again = await aLoneEngine({ folder, clock: lone.clock })
  expect(again.engine.interruptions().channels).toEqual([
    { cid: GENERAL, count: 2 },
    { cid: RANDOM, count: 1 },
  ])
})

test('after seven days a count is gone', async () => {
  const { engine, clock } = await aLoneEngine()
  engine.countInterruption(GENERAL)
  await clock.advance(4 * DAY_MS)
  engine.countInterruption(RANDOM)
  await clock.advance(3 * DAY_MS)
  expect(engine.interruptions().channels).toEqual([{ cid: RANDOM, count: 1 }])
})

test('the time of a digest is remembered while its channel has one', async () => {
  const { engine } = await aLoneEngine()
  engine.digested(GENERAL, 1_000, [GENERAL, RANDOM])
  engine.digested(RANDOM, 2_000, [GENERAL, RANDOM])
  expect(engine.digestedAt(GENERAL)).toBe(1_000)
  engine.digested(RANDOM, 3_000, [RANDOM])
  expect(engine.digestedAt(GENERAL)).toBeUndefined()
  expect(engine.digestedAt(RANDOM)).toBe(3_000)
})
