import { expect, test, vi } from 'vitest'
import { aUser, byId, createFakeBridge, type FakeBridge } from '../../tests/kit/fake-bridge/index.ts'
import { createStore } from '../store/store.ts'
import { attach, oncePerFrame } from './attach.ts'
import { createEngineClient, FirstAttach } from './client.ts'

async function follow(meanwhile?: (bridge: FakeBridge) => void) {
  const bridge = createFakeBridge({ rows: { users: byId([aUser({ id: 'ola', name: 'Ola' })]) } })
  const engine = createEngineClient(bridge)
  const store = createStore(engine)
  const frames: (() => void)[] = []
  const changes: unknown[] = []
  store.subscribe(() => changes.push(store.getState().entities.users))
  const first = meanwhile && new FirstAttach(bridge)
  await first?.snapshot
  meanwhile?.(bridge)
  const stop = await attach({
    bridge,
    first,
    engine,
    store,
    onEffect: () => {},
    onLost: (error) => changes.push(error),
    nextFrame: (run) => {
      frames.push(run)
      return () => void frames.splice(frames.indexOf(run), 1)
    },
  })
  const names = (): string[] => Object.values(store.getState().entities.users).map((user) => user.name)
  const paint = (): void => {
    for (const run of frames.splice(0)) run()
  }
  return { bridge, store, names, paint, changes, frames, stop }
}

const named = (name: string) => ({ users: byId([aUser({ id: name, name })]) })

test('the snapshot is in the store once attach resolves', async () => {
  const { names } = await follow()
  expect(names()).toEqual(['Ola'])
})

test('all pushes of one frame become one dispatch', async () => {
  const { bridge, names, paint, changes } = await follow()
  const before = changes.length
  bridge.change(named('Priya'))
  bridge.change(named('Jonas'))
  bridge.change({}, [], { users: ['ola'] })
  expect(names()).toEqual(['Ola'])
  paint()
  expect(names()).toEqual(['Priya', 'Jonas'])
  expect(changes.length - before).toBe(1)
})

test('after a gap in the revisions the window attaches again and loses nothing', async () => {
  const { bridge, store, names, paint } = await follow()
  bridge.change(named('Priya'))
  bridge.skip(3)
  bridge.change(named('Jonas'))
  await Promise.resolve()
  await Promise.resolve()
  await Promise.resolve()
  await Promise.resolve()
  paint()
  expect(bridge.inputsOf('app.attach')).toHaveLength(2)
  expect(names()).toEqual(['Ola', 'Priya', 'Jonas'])
  expect(store.getState().windows.attachCount).toBe(2)
})

test('a window that main no longer knows attaches again and follows the new revisions', async () => {
  const { bridge, store, names, paint } = await follow()
  for (const name of ['Priya', 'Jonas', 'Hana']) bridge.change(named(name))
  bridge.reset()
  bridge.change(named('Luis'))
  await vi.waitFor(() => expect(store.getState().windows.attachCount).toBe(2))
  bridge.change(named('Marcus'))
  paint()
  expect(names()).toEqual(['Ola', 'Priya', 'Jonas', 'Hana', 'Luis', 'Marcus'])
})

test('a push older than the snapshot changes nothing', async () => {
  const { bridge, frames, stop } = await follow()
  stop()
  bridge.change(named('Priya'))
  expect(frames).toEqual([])
})

test('what main pushes before the app takes over is applied after the snapshot that was requested before', async () => {
  const { bridge, names, paint } = await follow((early) => {
    early.change(named('Priya'))
    early.change(named('Jonas'))
  })
  paint()
  expect(bridge.inputsOf('app.attach')).toHaveLength(1)
  expect(names()).toEqual(['Ola', 'Priya', 'Jonas'])
})

test('a snapshot that was requested before main forgot the window is not used', async () => {
  const { bridge, names, paint } = await follow((early) => {
    early.change(named('Priya'))
    early.reset()
  })
  bridge.change(named('Jonas'))
  paint()
  expect(bridge.inputsOf('app.attach')).toHaveLength(2)
  expect(names()).toEqual(['Ola', 'Priya', 'Jonas'])
})

test('after a quiet frame changes are applied at the end of the turn, under load once in each frame', async () => {
  let waiting: (() => void)[] = []
  const frame = (): void => {
    const due = waiting
    waiting = []
    for (const run of due) run()
  }
  const next = oncePerFrame((run) => {
    waiting.push(run)
    return () => void (waiting = waiting.filter((each) => each !== run))
  })
  const applied: string[] = []
  const apply = (name: string) => next(() => applied.push(name))
  apply('first')
  expect(applied).toEqual([])
  await Promise.resolve()
  expect(applied).toEqual(['first'])
  apply('second')
  await Promise.resolve()
  expect(applied).toEqual(['first'])
  frame()
  expect(applied).toEqual(['first', 'second'])
  apply('third')
  await Promise.resolve()
  expect(applied).toEqual(['first', 'second'])
  frame()
  frame()
  apply('fourth')
  apply('cancelled')()
  await Promise.resolve()
  expect(applied).toEqual(['first', 'second', 'third', 'fourth'])
})
