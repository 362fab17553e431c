import { readFileSync } from 'node:fs'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, type ReactElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Connection } from '#shared/domain/session.ts'
import type { Window, WindowKey } from '#shared/domain/changes.ts'
import { asCid } from '#shared/lib/brand.ts'
import { aConnection, addLittleEngine, aWindow, cairnMaps, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { part } from '../lib/page/part.tsx'
import { useAppDispatch } from '../store/hooks.ts'
import { hostStateChanged } from '../store/window/host.ts'
import { laterFiltered } from '../store/window/views.ts'
import { Announcer } from '../ui/Toast/Toast.tsx'
import { PinnedPanel } from '../features/channel/PinnedPanel.tsx'
import { PaneState } from '../features/messages/list/PaneRows.tsx'
import { LaterView } from '../features/later/LaterView.tsx'
import { ThreadsView } from '../features/threads/ThreadsView.tsx'
import { CatchUpView } from '../features/unread/CatchUpView.tsx'
import { ConnectionBanner, ConnectionChip, UntilLoaded, useRetryOnInput } from '../features/connection/index.ts'

/** An English text by its area and key. */
function text(area: string, ...path: readonly string[]): string {
  let found: unknown = JSON.parse(readFileSync(`resources/locales/en/${area}.json`, 'utf8'))
  for (const step of path) found = (found as Record<string, unknown>)[step]
  return String(found)
}

const CID = asCid('messaging:release-4-2')
const LOST = { state: 'unhealthy', offline: true } as const
const BACK = { state: 'healthy', offline: false } as const

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function show(element: ReactElement, connection: Partial<Connection> = {}, ...windows: readonly Window[]) {
  const world = cairnMaps()
  const bridge = addLittleEngine(createFakeBridge({ ...world, windows: [] }))
  bridge.on('channels.unreadPlaces', () => [])
  bridge.on('channels.catchUp', () => ({ items: [], cut: [], total: 0, bars: [], short: [] }))
  await renderInApp(element, bridge)
  const become = (next: Partial<Connection>) =>
    act(async () => bridge.change({ connection: { self: aConnection(next) } }))
  await act(async () => bridge.change({ connection: { self: aConnection(connection) }, reminders: {} }, windows))
  if (vi.isFakeTimers()) await pass(1_500)
  return { bridge, become }
}

const announced = (how: 'polite' | 'assertive'): string =>
  document.querySelector(`[data-announcer="${how}"]`)?.textContent ?? ''

test('a lost connection and its return are announced once each, the countdown is not announced', async () => {
  const line = (
    <>
      <ConnectionChip />
      <ConnectionBanner />
      <Announcer />
    </>
  )
  const { become } = await show(line)
  await become({ ...LOST, nextTryAt: Date.now() + 9_000 })
  expect(announced('assertive')).toBe(text('common', 'connection', 'lost'))
  const news: string[] = []
  const live = '[role="status"], [role="alert"], [aria-live="polite"], [aria-live="assertive"]'
  const watch = new MutationObserver((changes) => {
    for (const { target } of changes) {
      const element = target instanceof Element ? target : target.parentElement
      if (element?.closest(live) && !element.closest('[aria-live="off"]')) news.push(element.textContent)
    }
  })
  watch.observe(document.body, { subtree: true, childList: true, characterData: true })
  await pass(5_000)
  expect(news).toEqual([])
  await become({ ...BACK })
  expect(announced('polite')).toBe(text('common', 'connection', 'again'))
  watch.disconnect()
})

test.each(['messages', 'reminders'] as const)(
  'the chip shows that %s are still loading, and a click retries',
  async (part) => {
    const label = text('common', 'connection', 'still', part)
    const { bridge } = await show(<ConnectionChip />, { ...BACK, stillLoading: [part] })
    await userEvent.click(screen.getByRole('button', { name: label }))
    await userEvent.click(screen.getByRole('button', { name: text('common', 'connection', 'tryNow') }))
    expect(bridge.inputsOf('session.reconnect')).toHaveLength(1)
  },
)

function Attendance() {
  useRetryOnInput()
  return null
}

test('key presses are reported to main at most once a second, and only while something is missing', async () => {
  const { bridge, become } = await show(<Attendance />)
  fireEvent.keyDown(window, { key: 'a' })
  expect(bridge.inputsOf('session.reportActivity')).toHaveLength(0)
  await become({ ...LOST })
  for (let count = 0; count < 5; count += 1) fireEvent.keyDown(window, { key: 'a' })
  expect(bridge.inputsOf('session.reportActivity')).toHaveLength(1)
  await pass(1_100)
  fireEvent.pointerDown(window)
  expect(bridge.inputsOf('session.reportActivity')).toHaveLength(2)
})

const pane = (unanswered: { readonly unanswered?: true }) => (
  <PaneState
    window={aWindow(`timeline:${CID}`, [], unanswered)}
    refused={undefined}
    cid={CID}
    thread={false}
    onRetry={() => undefined}
  />
)

/** Later, narrowed down to reminders: drafts and the outbox are on this device. */
function Reminders() {
  const dispatch = useAppDispatch()
  useEffect(() => void dispatch(laterFiltered('reminders')), [dispatch])
  return <LaterView />
}

type Empty = readonly [
  what: string,
  claim: string,
  key: WindowKey,
  element: (unanswered: { readonly unanswered?: true }) => ReactElement,
]

const EMPTY: readonly Empty[] = [
  ['reminders', text('later', 'empty', 'reminders'), 'later', () => <Reminders />],
  ['pins', text('channel', 'pinned', 'none'), `pinned:${CID}`, () => <PinnedPanel cid={CID} />],
  ['threads', text('thread', 'inbox', 'empty', 'unread'), 'threads', () => <ThreadsView />],
  ['unread places', text('unread', 'catchUp', 'empty'), 'channels', () => <CatchUpView />],
  ['messages', text('messages', 'state', 'empty'), `timeline:${CID}`, pane],
]

test.each(EMPTY)(
  'the empty state for %s is shown only when the server confirmed it',
  async (_what, claim, key, element) => {
    vi.useRealTimers()
    const still = ['reminders', 'messages', 'channels', 'threads'] as const
    for (const connection of [BACK, { ...BACK, stillLoading: still }, LOST]) {
      await show(element({ unanswered: true }), connection, aWindow(key, [], { unanswered: true }))
      await waitFor(() => expect(document.body.textContent).not.toBe(''))
      expect(screen.queryByText(claim)).toBeNull()
      cleanup()
    }
    await show(element({}), BACK, aWindow(key, []))
    expect(await screen.findByText(claim)).toBeTruthy()
  },
)

test.each(['session/not-renewed', 'session/clocks-differ'])(
  '%s is shown with the time of the next try and without a sign-in button',
  async (trouble) => {
    const line = (
      <>
        <ConnectionChip />
        <ConnectionBanner />
      </>
    )
    const { become } = await show(line, { ...LOST, trouble, nextTryAt: Date.now() + 9_000 })
    expect(screen.getByText(text('errors', trouble), { exact: false }).textContent).toMatch(/Next try in \d/)
    screen.getByRole('button', { name: text('common', 'connection', 'trouble') })
    expect(screen.queryByRole('button', { name: text('common', 'connection', 'signInAgain') })).toBeNull()
    await become({ ...BACK, trouble })
    screen.getByText(text('errors', trouble), { exact: false })
    await become(BACK)
    expect(screen.queryByText(text('errors', trouble), { exact: false })).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
  },
)

test.each(['gone', 'shut'] as const)('a small part whose code cannot come says why (%s)', async (state) => {
  const Never = part(() => new Promise<() => null>(() => undefined))
  const { store } = await renderInApp(
    <UntilLoaded small meanwhile={<i>room</i>}>
      <Never />
    </UntilLoaded>,
    createFakeBridge(),
  )
  expect(document.body.textContent).toContain('room')
  await act(async () => void store.dispatch(hostStateChanged(state)))
  const why = state === 'gone' ? text('common', 'host', 'opensWithWhy') : text('common', 'host', 'shut', 'here')
  expect(document.body.textContent).toContain(why)
})
