import { act, cleanup, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { cairnMaps, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { selectRouteCid } from '../../store/selectors.ts'
import { ownPlaceSet, routeOpened } from '../../store/window/ui.ts'
import { openChannel } from './commands.ts'

const ONE = asCid('team:one')
const OTHER = asCid('team:other')

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** A window whose main answers a request for a channel when it is told to. */
async function aWindow() {
  const bridge = createFakeBridge(cairnMaps())
  const answers: (() => void)[] = []
  bridge.on('channels.open', () => new Promise<void>((resolve) => answers.push(resolve)))
  const { store } = await renderInApp(null, bridge)
  return {
    store,
    open: (cid = ONE) => act(() => store.dispatch(openChannel(cid, 'here'))),
    answer: () => act(async () => answers.shift()?.()),
    pass: (ms: number) => act(() => void vi.advanceTimersByTime(ms)),
    shown: () => selectRouteCid(store.getState()),
    asked: () => bridge.inputsOf('channels.open'),
    closed: () => bridge.inputsOf('channels.close'),
    bridge,
  }
}

test('a channel is shown once main has answered with its messages', async () => {
  const { open, answer, shown, asked } = await aWindow()
  open()
  expect(asked()).toEqual([{ cid: ONE }])
  expect(shown()).not.toBe(ONE)
  await answer()
  expect(shown()).toBe(ONE)
})

test('it does not wait for a main that is busy', async () => {
  const { open, pass, shown, answer, closed } = await aWindow()
  open()
  pass(15)
  expect(shown()).toBe(ONE)
  await answer()
  expect(closed()).toEqual([])
})

test('a key is never typed into the channel that is being left', async () => {
  const { open, shown } = await aWindow()
  const seen: unknown[] = []
  document.body.addEventListener('keydown', () => seen.push(shown()), { once: true })
  open()
  fireEvent.keyDown(document.body, { key: 'a' })
  expect(seen).toEqual([ONE])
})

test('of two channels that are opened one after the other the second is shown, and the first is closed', async () => {
  const { open, answer, shown, closed } = await aWindow()
  open(ONE)
  open(OTHER)
  await answer()
  expect(shown()).not.toBe(ONE)
  await answer()
  expect(shown()).toBe(OTHER)
  expect(closed()).toEqual([{ cid: ONE }])
})

test('what is opened while a channel waits stays', async () => {
  const { open, answer, shown, closed, store } = await aWindow()
  open()
  act(() => void store.dispatch(routeOpened({ view: 'browse' })))
  await answer()
  expect(shown()).toBeUndefined()
  expect(closed()).toEqual([{ cid: ONE }])
})

test('a channel whose messages this window holds is shown at once', async () => {
  const { open, shown, bridge } = await aWindow()
  const window = { key: `timeline:${ONE}`, ids: [], hasPrev: false, hasNext: false, loading: 'none', gapsBefore: [] }
  await act(async () => bridge.change({}, [window as never]))
  open()
  expect(shown()).toBe(ONE)
  expect(bridge.inputsOf('channels.open')).toEqual([])
})

test('a window of one channel keeps no other one open', async () => {
  const { open, answer, closed, store } = await aWindow()
  act(() => void store.dispatch(ownPlaceSet({ cid: OTHER })))
  open()
  await answer()
  expect(closed()).toEqual([{ cid: ONE }])
  expect(store.getState().ui.elsewhere?.route).toEqual({ view: 'channel', cid: ONE })
})
