import { afterEach, expect, test } from 'vitest'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Message, ThreadSummary } from '#shared/domain/message.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { addLittleEngine, cairnMaps, createFakeBridge, type FakeBridge } from '../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../tests/kit/render-in-app.tsx'
import { panelOpened } from '../../store/window/ui.ts'
import { ThreadPanel } from './ThreadPanel.tsx'

const CID = asCid('messaging:release-4-2')
const PARENT = asMessageId('m-1')

async function show() {
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  const view = await renderInApp(<ThreadPanel cid={CID} parentId={PARENT} />, bridge)
  view.store.dispatch(panelOpened({ kind: 'thread', cid: CID, parentId: PARENT }))
  await waitFor(() =>
    expect(bridge.inputsOf('threads.open').at(-1)).toMatchObject({ cid: CID, parentId: PARENT, unread: true }),
  )
  await act(() => Promise.resolve())
  return { bridge, ...view }
}

afterEach(cleanup)

test('shows the parent message, the number of replies, and the replies', async () => {
  await show()
  expect(screen.getByRole('heading', { name: 'Thread' })).toBeDefined()
  const log = screen.getByRole('log', { name: 'Thread replies' })
  expect(log.dataset['messageList']).toBe(`${CID}/${PARENT}`)
  expect(within(log).getByRole('separator', { name: '5 replies' })).toBeDefined()
  expect(within(log).getAllByRole('article')).toHaveLength(6)
})

test('the people who replied are portraits; their names are not written beside them', async () => {
  await show()
  const faces = screen.getByRole('img', { name: /^with / })
  expect(faces.textContent).not.toContain('with ')
  expect(screen.queryByText(/^with /)).toBeNull()
})

test('a reply in a thread does not offer Reply in thread', async () => {
  const { store } = await show()
  document.querySelector<HTMLElement>('[data-message-id="r-1"]')?.focus()
  await userEvent.keyboard('t')
  expect(store.getState().ui.panel).toMatchObject({ parentId: PARENT })
})

test('a quote in a thread is added to the thread’s own composer', async () => {
  const { store } = await show()
  document.querySelector<HTMLElement>('[data-message-id="r-1"]')?.focus()
  await userEvent.keyboard('q')
  expect(store.getState().composers[`${CID}/${PARENT}`]?.quotedId).toBe('r-1')
  expect(store.getState().composers[CID]?.quotedId).toBeUndefined()
})

test('the close button closes the panel and the engine’s window', async () => {
  const { bridge, store, unmount } = await show()
  await userEvent.click(screen.getByRole('button', { name: 'Close thread' }))
  expect(store.getState().ui.panel).toBeUndefined()
  const before = bridge.inputsOf('threads.close').length
  unmount()
  expect(bridge.inputsOf('threads.close').slice(before)).toEqual([{ parentId: PARENT }])
})

test('Escape inside the panel closes it', async () => {
  const { store } = await show()
  screen.getByRole('button', { name: 'Close thread' }).focus()
  await userEvent.keyboard('{Escape}')
  expect(store.getState().ui.panel).toBeUndefined()
})

const edit = (bridge: FakeBridge, over: Partial<Message>): void => {
  const root = bridge.world.rows.messages?.[PARENT]
  if (root !== undefined) act(() => bridge.change({ messages: { [PARENT]: { ...root, ...over } } }))
}
const summary = (over: Partial<ThreadSummary>): Partial<Message> => ({
  thread: { replyCount: 5, participantIds: [], unread: 0, ...over },
})

async function choose(item: string): Promise<void> {
  const [more] = screen.getAllByRole('button', { name: 'More actions' })
  if (more !== undefined) await userEvent.click(more)
  await userEvent.click(screen.getByRole('menuitem', { name: item }))
}

test('the unread line is above the first unread reply', async () => {
  const world = cairnMaps()
  const root = world.rows.messages?.[PARENT]
  const bridge = addLittleEngine(createFakeBridge(world))
  if (root !== undefined) {
    const lastReadAt = (world.rows.messages?.['r-1']?.createdAt ?? 0) + 1
    Object.assign(world.rows.messages ?? {}, { [PARENT]: { ...root, ...summary({ unread: 2, lastReadAt }) } })
  }
  await renderInApp(<ThreadPanel cid={CID} parentId={PARENT} />, bridge)
  const line = await screen.findByRole('separator', { name: /^2 new/ })
  const rows = [...screen.getByRole('log').querySelectorAll('[data-message-id], [role="separator"]')]
  expect(rows[rows.indexOf(line) - 1]?.getAttribute('data-message-id')).toBe('r-1')
})

test('a thread can be followed and unfollowed', async () => {
  const { bridge } = await show()
  edit(bridge, summary({ following: true }))
  await userEvent.click(await screen.findByRole('button', { name: 'Unfollow thread', pressed: true }))
  edit(bridge, summary({ following: false }))
  await userEvent.click(await screen.findByRole('button', { name: 'Follow thread', pressed: false }))
  expect(bridge.inputsOf('threads.follow')).toEqual([
    { cid: CID, parentId: PARENT, follows: false },
    { cid: CID, parentId: PARENT, follows: true },
  ])
})

test('the author of a thread can rename it; a refused title stays in the field with the reason', async () => {
  const { bridge } = await show()
  edit(bridge, { userId: asUserId('ola'), ...summary({}) })
  bridge.on('threads.rename', () => {
    throw { code: 'network/offline' } as unknown as Error
  })
  await act(() => Promise.resolve())
  await choose('Rename thread…')
  await userEvent.type(screen.getByRole('textbox', { name: 'Thread name' }), ' Open points ')
  await userEvent.click(screen.getByRole('button', { name: 'Rename thread' }))
  expect(await screen.findByRole('alert')).toBeDefined()
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Thread name' }).value).toBe(' Open points ')
  bridge.on('threads.rename', () => undefined)
  await userEvent.click(screen.getByRole('button', { name: 'Rename thread' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(bridge.inputsOf('threads.rename').at(-1)).toEqual({ cid: CID, parentId: PARENT, title: 'Open points' })
  edit(bridge, { userId: asUserId('ola'), ...summary({ title: 'Open points' }) })
  expect(await screen.findByRole('heading', { name: 'Open points' })).toBeDefined()
})

test('other people are not offered to rename it', async () => {
  await show()
  const [more] = screen.getAllByRole('button', { name: 'More actions' })
  if (more !== undefined) await userEvent.click(more)
  expect(screen.queryByRole('menuitem', { name: 'Rename thread…' })).toBeNull()
})

test('it can be opened in the full view and in a separate window', async () => {
  const { bridge, store } = await show()
  bridge.on('app.openPlace', () => ({}))
  await choose('Open in a new window')
  expect(bridge.inputsOf('app.openPlace')).toEqual([{ cid: CID, parentId: PARENT }])
  await choose('Open in full width')
  expect(store.getState().ui.route).toEqual({ view: 'thread', cid: CID, parentId: PARENT })
})

test('marking a reply unread moves the unread line there', async () => {
  const { bridge } = await show()
  document.querySelector<HTMLElement>('[data-message-id="r-2"]')?.focus()
  await userEvent.keyboard('u')
  expect(bridge.inputsOf('threads.markUnread')).toEqual([{ cid: CID, parentId: PARENT, messageId: 'r-2' }])
  expect(await screen.findByRole('separator', { name: /new/ })).toBeDefined()
})
