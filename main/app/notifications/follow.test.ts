import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeHost } from '#kit/fake-host.ts'
import type { Composed } from '../launch-options.ts'
import { compose } from '#main/app/compose.ts'

let world: FakeHost
let composed: Composed | undefined

beforeEach(() => {
  world = new FakeHost()
})
afterEach(async () => {
  const stopping = composed?.stop()
  await world.clock.advance(2_000)
  await stopping
  world.dispose()
})

const LINK = { route: 'channel', workspace: 'demo', cid: 'team:plans' } as const

async function start(): Promise<Composed> {
  composed = await compose(world.host, world.dispatch, { demo: true })
  await world.clock.settle()
  return composed
}

test('a link that started the app opens in the first window', async () => {
  const app = await start()
  app.follow(LINK)
  expect(world.opened).toEqual([{}])
  const window = world.window()
  await window.call('app.attach', {})
  await world.clock.advance(1)
  const led = window.pushes.filter((push) => push.kind === 'effect' && push.effect.type !== 'updates')
  expect(led).toEqual([{ kind: 'effect', effect: { type: 'link', link: LINK } }])
})

test('a link clicked elsewhere opens in the open window, and in no other', async () => {
  const app = await start()
  const window = world.window()
  await window.call('app.attach', {})
  app.follow(LINK)
  expect(world.opened).toEqual([])
  expect(window.pushes.at(-1)).toEqual({ kind: 'effect', effect: { type: 'link', link: LINK } })
})

test('signed out a link has no target, but a window opens', async () => {
  const app = await start()
  const window = world.window()
  await window.call('app.attach', {})
  await window.call('session.signOut', { wipe: false })
  window.close()
  app.follow(LINK)
  expect(world.opened).toEqual([{}])
})

test('a reply in a notification of an earlier run is sent or queued, and shows no window', async () => {
  let answer: (id: string, reply?: string) => void = () => {}
  Object.assign(world.host, {
    notifier: {
      isAvailable: () => true,
      show: () => {},
      withdraw: () => {},
      onForgotten: (fn: typeof answer) => void (answer = fn),
    },
  })
  await start()
  const [key = ''] = readdirSync(join(world.data, 'accounts'))
  answer(`tag=${key} team:plans`, 'Since noon')
  await world.clock.settle()
  expect(world.opened).toEqual([])
  const window = world.window()
  expect(JSON.stringify(await window.call('app.attach', {}))).toContain('Since noon')
  answer(`tag=${key} team:plans`)
  await world.clock.settle()
  expect(window.pushes).toContainEqual({ kind: 'effect', effect: { type: 'focus', cid: 'team:plans' } })
})
