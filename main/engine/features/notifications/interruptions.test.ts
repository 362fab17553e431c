import { expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { aLoneEngine, at, aWireUser, CID } from '#kit/lone-engine.ts'
import { reading } from '#kit/lone-talk.ts'
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

test('what was counted while the clock was ahead is not of this week', async () => {
  const folder = aFolder()
  const ahead = await aLoneEngine({ folder })
  await ahead.clock.advance(30 * DAY_MS)
  ahead.engine.countInterruption(RANDOM)
  await ahead.engine.stop()
  const { engine } = await aLoneEngine({ folder })
  engine.countInterruption(GENERAL)
  expect(engine.interruptions().channels).toEqual([{ cid: GENERAL, count: 1 }])
})

test('the time of a digest is remembered while its channel has one', async () => {
  const { engine } = await aLoneEngine()
  engine.digested(GENERAL, 1_000)
  engine.digested(RANDOM, 2_000)
  engine.keepDigests([GENERAL, RANDOM])
  expect([GENERAL, RANDOM].map((cid) => engine.digestedAt(cid))).toEqual([1_000, 2_000])
  engine.keepDigests([RANDOM])
  expect([GENERAL, RANDOM].map((cid) => engine.digestedAt(cid))).toEqual([undefined, 2_000])
})

test('a channel that the viewer has hidden or left has no digest, also while its messages are cached', async () => {
  const lone = await reading()
  const cid = asCid(CID)
  const own = { cid: CID, user: aWireUser('me') }
  const isListed = (): boolean => lone.engine.digestPlace(cid) !== undefined
  expect(isListed()).toBe(true)
  await lone.hear({ ...own, created_at: at(50), type: 'channel.hidden', clear_history: false })
  expect(isListed()).toBe(false)
  await lone.hear({ ...own, created_at: at(51), type: 'channel.visible' })
  expect(isListed()).toBe(true)
  await lone.hear({ ...own, created_at: at(52), type: 'member.removed', member: { user_id: 'me' } })
  expect(isListed()).toBe(false)
})
