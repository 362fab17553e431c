import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { aMessage, addLittleEngine, cairnMaps, createFakeBridge, type FakeBridge } from '#kit/fake-bridge/index.ts'
import { asCid } from '#shared/lib/brand.ts'
import { attach } from '../bridge/attach.ts'
import { createEngineClient } from '../bridge/client.ts'
import type { SpeedKind } from '../lib/page/speed.ts'
import { submitted } from '../store/composers/composers.ts'
import { createStore, type AppStore } from '../store/store.ts'
import { routeOpened, searchChanged, searchOpened, timelineMoved } from '../store/window/ui.ts'
import { measureSpeed } from './speed.ts'

const [FIRST, SECOND] = [asCid('messaging:release-4-2'), asCid('messaging:map-data')]

afterEach(() => {
  document.body.replaceChildren()
  vi.restoreAllMocks()
})

type Window = {
  readonly bridge: FakeBridge
  readonly store: AppStore
  readonly kept: SpeedKind[]
  /** Draws one frame. */
  readonly frame: () => void
}
let shown: Window
beforeEach(async () => {
  shown = await aWindow()
})

/** A window on `FIRST`, measured from its start. */
async function aWindow(): Promise<Window> {
  const { rows, windows } = cairnMaps()
  const bridge = addLittleEngine(createFakeBridge({ rows, windows }))
  const engine = createEngineClient(bridge)
  const store = createStore(engine)
  const pushes: (() => void)[] = []
  const detach = await attach({
    bridge,
    engine,
    store,
    onEffect: () => {},
    onLost: () => {},
    nextFrame: (run) => {
      pushes.push(run)
      return () => {}
    },
  })
  store.dispatch(routeOpened({ view: 'channel', cid: FIRST }))
  let waiting: (() => void)[] = []
  const kept: SpeedKind[] = []
  const stop = measureSpeed({
    bridge,
    store,
    afterFrame: (run) => void waiting.push(run),
    keep: (kind, ms) => {
      expect(ms).toBeGreaterThanOrEqual(0)
      kept.push(kind)
    },
  })
  onTestFinished(() => {
    stop()
    detach()
  })
  const frame = (): void => {
    for (const run of pushes.splice(0)) run()
    const now = waiting
    waiting = []
    for (const run of now) run()
  }
  return { bridge, store, kept, frame }
}

function draw(attributes: Readonly<Record<string, string>>): void {
  const element = document.createElement('div')
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  document.body.append(element)
}
const drawList = (cid: string): void => draw({ 'data-message-list': cid, 'data-settled': '1' })
const press = (key: string): void =>
  void document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
const hide = (): void => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
}

test('a start lasts until the frame after the messages are laid out', () => {
  const { kept, frame } = shown
  frame()
  frame()
  expect(kept).toEqual([])
  drawList(FIRST)
  frame()
  expect(kept).toEqual(['start'])
})

test('a channel that is opened is measured once as new, and then as known', () => {
  const { kept, frame, store } = shown
  drawList(FIRST)
  frame()
  for (const cid of [SECOND, FIRST, SECOND]) {
    press('ArrowDown')
    store.dispatch(routeOpened({ view: 'channel', cid }))
    drawList(cid)
    frame()
  }
  expect(kept).toEqual(['start', 'first', 'again', 'again'])
})

test('a channel that was left before it was shown is not measured', () => {
  const { kept, frame, store } = shown
  press('ArrowDown')
  store.dispatch(routeOpened({ view: 'channel', cid: SECOND }))
  press('ArrowDown')
  store.dispatch(routeOpened({ view: 'channel', cid: FIRST }))
  drawList(SECOND)
  frame()
  expect(kept).toEqual([])
})

test('a channel that opens without an input is not measured', () => {
  const { kept, frame, store } = shown
  store.dispatch(routeOpened({ view: 'channel', cid: SECOND }))
  drawList(SECOND)
  frame()
  expect(kept).toEqual(['start'])
})

test('an own message is measured from Enter, whatever is typed after it', () => {
  const { kept, frame, store } = shown
  press('Enter')
  press('a')
  store.dispatch(submitted({ key: FIRST, id: 'm-own' }))
  frame()
  expect(kept).toEqual([])
  draw({ 'data-message-id': 'm-own' })
  frame()
  expect(kept).toEqual(['send'])
})

test('a message of someone else is measured only at the end of the open channel', async () => {
  const { bridge, kept, frame, store } = shown
  await bridge.call('channels.open', { cid: FIRST, visit: 1 })
  bridge.change({ messages: cairnMaps().rows.messages })
  frame()
  const arrives = (id: string, more: Parameters<typeof aMessage>[0] = {}): boolean => {
    const message = aMessage({ id, cid: FIRST, userId: 'sofia', createdAt: Date.now() + 60_000, ...more })
    bridge.change({ messages: { [id]: message } })
    draw({ 'data-message-id': id })
    frame()
    return kept.includes('arrive')
  }
  expect(arrives('m-above')).toBe(false)
  store.dispatch(timelineMoved({ cid: FIRST, atBottom: true }))
  expect(arrives('m-elsewhere', { cid: SECOND })).toBe(false)
  expect(arrives('m-own', { userId: 'ola' })).toBe(false)
  expect(arrives('m-history', { createdAt: 5 })).toBe(false)
  expect(arrives('m-new')).toBe(true)
})

test('of messages that arrive while one is waited for none is measured: in a flood there are hundreds', async () => {
  const { bridge, kept, frame, store } = shown
  await bridge.call('channels.open', { cid: FIRST, visit: 1 })
  bridge.change({ messages: cairnMaps().rows.messages })
  frame()
  store.dispatch(timelineMoved({ cid: FIRST, atBottom: true }))
  for (const [index, id] of ['m-one', 'm-two', 'm-three'].entries()) {
    const createdAt = Date.now() + 60_000 + index
    bridge.change({ messages: { [id]: aMessage({ id, cid: FIRST, userId: 'sofia', createdAt }) } })
    draw({ 'data-message-id': id })
  }
  frame()
  expect(kept.filter((kind) => kind === 'arrive')).toHaveLength(1)
})

test('a search is measured from its last key, until its results are shown', () => {
  const { kept, frame, store } = shown
  store.dispatch(searchOpened({}))
  for (const text of ['c', 'co']) {
    press('c')
    store.dispatch(searchChanged({ text }))
    frame()
  }
  expect(kept).toEqual([])
  draw({ 'data-results': '', 'data-answered': 'true' })
  frame()
  frame()
  expect(kept).toEqual(['search'])
})

test('a hidden window measures nothing, and forgets what it waited for', () => {
  const { kept, frame, store } = shown
  hide()
  drawList(FIRST)
  frame()
  press('ArrowDown')
  store.dispatch(routeOpened({ view: 'channel', cid: SECOND }))
  drawList(SECOND)
  frame()
  expect(kept).toEqual([])
})

test('a start that shows no messages is given up after a minute, so that nothing is looked for in every frame', () => {
  shown.frame()
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000)
  shown.frame()
  draw({ 'data-message-list': FIRST, 'data-settled': '1' })
  shown.frame()
  expect(shown.kept).toEqual([])
})
