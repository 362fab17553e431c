import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act, cleanup } from '@testing-library/react'
import { asCid } from '#shared/lib/brand.ts'
import type { Settings } from '#shared/domain/settings.ts'
import {
  aChannel,
  aWindow,
  byCid,
  createFakeBridge,
  someSettings,
  type FakeBridge,
} from '../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../tests/kit/render-in-app.tsx'
import { markedUnreadByHand, timelineMoved } from '../../store/window/ui.ts'
import { useMarkRead } from './ChannelView.tsx'

const cid = asCid('messaging:general')
const LONG_MS = 5_000

function Reader({ active }: { readonly active: boolean }) {
  useMarkRead(cid, active)
  return null
}

type Situation = {
  touched?: boolean
  focused?: boolean
  atBottom?: boolean
  hasNext?: boolean
  byHand?: boolean
  mode?: Settings['autoRead']
  /** The active one of two channels side by side. */
  active?: boolean
}

let lastBridge: FakeBridge | undefined

async function read(
  { touched = true, focused = true, atBottom = true, hasNext = false, byHand = false, ...more }: Situation,
  waitMs = LONG_MS,
) {
  const { mode = 'automatic', active = true } = more
  vi.spyOn(document, 'hasFocus').mockReturnValue(focused)
  const bridge = createFakeBridge({
    rows: {
      channels: byCid([aChannel({ cid, unread: 2, lastReadAt: 200 })]),
      settings: { self: someSettings({ autoRead: mode }) },
    },
  })
  lastBridge = bridge
  const { store } = await renderInApp(<Reader active={active} />, bridge)
  bridge.change({}, [aWindow(`timeline:${cid}`, ['m1'], { hasNext })])
  await act(() => Promise.resolve())
  act(() => {
    store.dispatch(timelineMoved({ cid, atBottom }))
    if (byHand) store.dispatch(markedUnreadByHand({ cid }))
  })
  if (touched) act(() => void window.dispatchEvent(new Event('pointermove')))
  act(() => {
    vi.advanceTimersByTime(waitMs)
  })
  return bridge.inputsOf('channels.markRead')
}

async function readThenLeave(situation: Situation) {
  const inputs = await read(situation)
  const before = inputs.length
  cleanup()
  await act(() => Promise.resolve())
  return lastBridge?.inputsOf('channels.markRead').slice(before)
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a window without user input since the start marks nothing read', async () => {
  expect(await read({ touched: false })).toEqual([])
})

test('a channel is marked read after half a second at its newest message', async () => {
  expect(await read({}, 499)).toEqual([])
  cleanup()
  expect(await read({}, 500)).toEqual([{ cid }])
})

test('a channel in which messages keep arriving is marked read too', async () => {
  await read({}, 0)
  for (const unread of [3, 4, 5]) {
    act(() => lastBridge?.change({ channels: byCid([aChannel({ cid, unread, lastReadAt: 200 })]) }))
    await act(() => Promise.resolve())
    act(() => {
      vi.advanceTimersByTime(200)
    })
  }
  expect(lastBridge?.inputsOf('channels.markRead')).toEqual([{ cid }])
})

test('a window without focus marks nothing read', async () => {
  expect(await read({ focused: false })).toEqual([])
})

test('scrolled up, nothing is marked read', async () => {
  expect(await read({ atBottom: false })).toEqual([])
})

test('while newer pages are missing, nothing is marked read', async () => {
  expect(await read({ hasNext: true })).toEqual([])
})

test('a channel marked unread by hand stays unread', async () => {
  expect(await read({ byHand: true })).toEqual([])
})

test('with "on leave" a channel is marked read when left, and only if its newest message was in view', async () => {
  expect(await read({ mode: 'on-leave' })).toEqual([])
  cleanup()
  const seen = await readThenLeave({ mode: 'on-leave' })
  expect(seen).toEqual([{ cid }])
  expect(await readThenLeave({ mode: 'on-leave', atBottom: false })).toEqual([])
})

test('with "by hand" neither viewing nor leaving marks it read', async () => {
  expect(await readThenLeave({ mode: 'by-hand' })).toEqual([])
})

test('of two channels side by side the inactive one stays unread', async () => {
  expect(await read({ active: false })).toEqual([])
})

test('a channel marked unread in another window or on another device stays unread here', async () => {
  await read({}, 0)
  act(() => lastBridge?.change({ channels: byCid([aChannel({ cid, unread: 3, lastReadAt: 100 })]) }))
  await act(() => Promise.resolve())
  act(() => {
    vi.advanceTimersByTime(LONG_MS)
  })
  expect(lastBridge?.inputsOf('channels.markRead')).toEqual([])
})
