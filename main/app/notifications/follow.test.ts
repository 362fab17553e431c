import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeHost, type FakeWindow } from '#kit/fake-host.ts'
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

const INVITATION = {
  route: 'join',
  text: `parlor://join/192.168.1.24:7443/${'f'.repeat(43)}.${'s'.repeat(22)}`,
} as const
const invitations = (window: FakeWindow) =>
  window.pushes.filter((push) => push.kind === 'effect' && push.effect.type === 'link')

test('an invitation that started the app of a newcomer opens on the start page, once', async () => {
  composed = await compose(world.host, world.dispatch, {})
  await world.clock.settle()
  composed.follow(INVITATION)
  expect(world.opened).toEqual([{}])
  const window = world.window()
  await window.call('app.attach', {})
  await world.clock.advance(1)
  await window.call('app.attach', {})
  await world.clock.advance(1)
  expect(invitations(window)).toEqual([{ kind: 'effect', effect: { type: 'link', link: INVITATION } }])
})

test('an invitation clicked elsewhere opens on the start page that is open', async () => {
  composed = await compose(world.host, world.dispatch, {})
  await world.clock.settle()
  const window = world.window()
  await window.call('app.attach', {})
  composed.follow(INVITATION)
  expect(world.opened).toEqual([])
  expect(window.pushes.at(-1)).toEqual({ kind: 'effect', effect: { type: 'link', link: INVITATION } })
})

test('an invitation that comes while the start page is loading waits for it', async () => {
  composed = await compose(world.host, world.dispatch, {})
  await world.clock.settle()
  const window = world.window()
  const attaching = window.call('app.attach', {})
  composed.follow(INVITATION)
  await attaching
  await world.clock.advance(1)
  expect(invitations(window)).toHaveLength(1)
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
