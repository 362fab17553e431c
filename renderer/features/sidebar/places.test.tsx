import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { parseDeepLink } from '#shared/rules/desktop/deep-link.ts'
import { addLittleEngine, anOutboxItem, cairnMaps, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { registry } from '../../app/features.ts'
import { OutboxChip } from '../outbox/index.ts'
import { PlaceTabs } from './rows.tsx'
import { Sidebar } from './Sidebar.tsx'

afterEach(cleanup)

const SECRET = { cid: asCid('team:secret'), name: 'secret', memberCount: 3 }

const rowsOf = () =>
  [...document.querySelectorAll('[data-region="sidebar"] [data-roving-id]:not([data-channel-item])')].map(
    (row) => (row as HTMLElement).dataset['rovingId'],
  )

test('at most four rows come before the first channel, and none comes or goes by itself', async () => {
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  await renderInApp(<Sidebar />, bridge, 'en', registry)
  const before = rowsOf()
  expect(before.slice(0, 3)).toEqual(['catch-up', 'threads', 'later'])
  expect(before.length).toBeLessThanOrEqual(4)
  act(() =>
    bridge.change({
      inbox: { self: { unreadThreads: 0, invites: [SECRET] } },
      outbox: { a: anOutboxItem({ id: 'a' }), b: anOutboxItem({ id: 'b', state: 'parked' }) },
    }),
  )
  await screen.findByRole('link', { name: 'Catch up, 1 invitation' })
  expect(rowsOf()).toEqual(before)
  expect(screen.getByRole('link', { name: /^Later, .*1 not sent$/ })).toBeDefined()
})

test.each([
  ['en', /^Later, (\d+) due, 1 not sent$/, (due: number) => `Later${due} due, 1 not sent`],
  ['pl', /^Na później, do zrobienia: (\d+), niewysłane: 1$/, (due: number) => `Na późniejczeka: ${due + 1}`],
] as const)(
  'what is due and what was not sent stand beside Later as far as there is room, and are read aloud: %s',
  async (language, name, text) => {
    const bridge = createFakeBridge(cairnMaps())
    await renderInApp(<Sidebar />, bridge, language, registry)
    const due = { cid: asCid('team:secret'), pending: false, createdAt: 1, updatedAt: 1, remindAt: 2 }
    act(() =>
      bridge.change({
        reminders: { one: { ...due, messageId: asMessageId('one') }, two: { ...due, messageId: asMessageId('two') } },
        outbox: { b: anOutboxItem({ id: 'b', state: 'parked' }) },
      }),
    )
    const row = await screen.findByRole('link', { name })
    expect(row.textContent).toBe(text(Number(name.exec(row.getAttribute('aria-label') ?? '')?.[1])))
  },
)

test('a conversation is a link with an address, and a click follows it in the window', async () => {
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  const { store } = await renderInApp(<Sidebar />, bridge, 'en', registry)
  const row = screen.getByRole('link', { name: /^design-crit/ })
  const cid = row.dataset['channelItem']
  expect(parseDeepLink(row.getAttribute('href') ?? '')).toMatchObject({ route: 'channel', cid })
  expect(fireEvent.click(row)).toBe(false)
  await waitFor(() => expect(store.getState().ui.route).toEqual({ view: 'channel', cid }))
  expect(fireEvent(row, new MouseEvent('auxclick', { bubbles: true, cancelable: true, button: 1 }))).toBe(false)
})

test('a pending invitation is a tab of Catch up, which opens its list', async () => {
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  const { store } = await renderInApp(
    <>
      <Sidebar />
      <PlaceTabs of="catch-up" />
    </>,
    bridge,
    'en',
    registry,
  )
  await waitFor(() => expect(bridge.inputsOf('channels.invites')).not.toEqual([]))
  expect(screen.queryByRole('link', { name: /^Invitations/ })).toBeNull()
  act(() => bridge.change({ inbox: { self: { unreadThreads: 0, invites: [SECRET] } } }))
  await userEvent.click(await screen.findByRole('link', { name: 'Invitations, 1' }))
  expect(store.getState().ui.route).toEqual({ view: 'browse' })
  act(() => bridge.change({ inbox: { self: { unreadThreads: 0, invites: [] } } }))
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Invitations/ })).toBeNull())
})

test('the outbox is a chip whose place is kept: shown for what failed, not for what is on its way or a read mark', async () => {
  const bridge = createFakeBridge(cairnMaps())
  bridge.change({ outbox: { a: anOutboxItem({ id: 'a', state: 'inflight' }) } })
  const { store } = await renderInApp(<OutboxChip />, bridge, 'en', registry)
  expect(document.querySelector('[data-outbox-slot]')).not.toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
  act(() =>
    bridge.change({
      outbox: {
        b: anOutboxItem({ id: 'b', state: 'parked' }),
        c: anOutboxItem({ id: 'c', kind: 'mark-read', state: 'waiting' }),
      },
    }),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Outbox, 2 waiting' }))
  expect(store.getState().ui.panel).toMatchObject({ kind: 'outbox' })
})
