import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FakeHost } from '#kit/fake-host.ts'
import { codeOf, testApp } from '#kit/test-app.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'

const bench = testApp()
const CHANNEL = { cid: asCid('team:a') }
const THREAD = { ...CHANNEL, parentId: asMessageId('m1') }
let world: FakeHost

beforeEach(() => {
  world = bench.begin()
})
afterEach(bench.end)

/** A whole window, which has attached. */
async function aStart() {
  const whole = await bench.start()
  await bench.sessionOf(whole)
  return whole
}

async function anOwn(id: string, own: object) {
  const window = world.window(id)
  expect(await codeOf(window.call('app.attach', { own }))).toBe('ok')
  return window
}

test('windows of one place are restored after the first whole one at the next start; closed ones are not', async () => {
  await aStart()
  await anOwn('w2', CHANNEL)
  const closed = await anOwn('w3', { cid: 'team:b' })
  await anOwn('w4', THREAD)
  closed.close()
  await bench.stop()
  const opened = world.opened.length
  await bench.start()
  expect(world.opened.slice(opened)).toEqual([])
  await bench.sessionOf(world.window('w5'))
  expect(world.opened.slice(opened)).toEqual([{ place: CHANNEL }, { place: THREAD }])
})

test('one that was not restored before the program exited again is still stored', async () => {
  await aStart()
  await anOwn('w2', CHANNEL)
  await anOwn('w3', THREAD)
  await bench.stop()
  await aStart()
  await anOwn('w2', THREAD)
  await bench.stop()
  const opened = world.opened.length
  await aStart()
  expect(world.opened.slice(opened)).toEqual([{ place: CHANNEL }, { place: THREAD }])
})

test('a place is opened as the calling user, and those of a signed-out account are not restored', async () => {
  const whole = await aStart()
  await whole.call('app.openPlace', CHANNEL)
  expect(world.opened).toEqual([{ place: CHANNEL }])
  await anOwn('w2', CHANNEL)
  expect(await codeOf(whole.call('session.signOut', { wipe: false }))).toBe('ok')
  await bench.stop()
  await aStart()
  expect(world.opened).toEqual([{ place: CHANNEL }])
})

test('a target outside of such a window is shown by the whole one', async () => {
  const whole = await aStart()
  const own = await anOwn('w2', CHANNEL)
  await own.call('app.lead', { type: 'focus', cid: 'team:b', messageId: 'm9' })
  await own.call('app.lead', { type: 'command', action: 'drafts' })
  const effects = whole.pushes.flatMap((push) => (push.kind === 'effect' ? [push.effect] : []))
  expect(effects).toEqual([
    { type: 'focus', cid: 'team:b', messageId: 'm9' },
    { type: 'command', action: 'drafts' },
  ])
  expect(await codeOf(own.call('app.lead', { type: 'command', action: 'markAllRead' }))).toBe('bridge/invalid-input')
})
