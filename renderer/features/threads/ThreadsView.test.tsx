import { afterEach, expect, test } from 'vitest'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Message } from '#shared/domain/message.ts'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import {
  aConnection,
  aMessage,
  aWindow,
  at,
  byId,
  cairnMaps,
  createFakeBridge,
  type FakeBridge,
} from '../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../tests/kit/render-in-app.tsx'
import { ThreadsView } from './ThreadsView.tsx'

const CID = 'messaging:release-4-2'
type Of = { readonly unread?: number; readonly by?: string; readonly following?: boolean; readonly title?: string }

/** A thread's parent message and newest reply. */
function aThread(id: string, { unread = 0, by = 'priya', following = true, title }: Of = {}): readonly Message[] {
  const lastReplyId = asMessageId(`${id}-last`)
  const thread = { replyCount: 3, participantIds: [asUserId('jonas')], unread, following, lastReplyId }
  const named = title === undefined ? {} : { title }
  return [
    aMessage({ id, cid: CID, userId: by, text: `Question ${id}`, thread: { ...thread, ...named } }),
    aMessage({ id: lastReplyId, cid: CID, userId: 'jonas', parentId: id, text: `Answer ${id}`, createdAt: at(10, 1) }),
  ]
}

const put = (bridge: FakeBridge, threads: readonly (readonly Message[])[], over = {}): void =>
  act(() =>
    bridge.change({ messages: byId(threads.flat()) }, [
      aWindow(
        'threads',
        threads.flatMap(([root]) => root?.id ?? []),
        over,
      ),
    ]),
  )

async function show(threads: readonly (readonly Message[])[], over = {}) {
  const bridge = createFakeBridge(cairnMaps())
  bridge.on('channels.unreadPlaces', () => [])
  const view = await renderInApp(<ThreadsView />, bridge)
  await waitFor(() => expect(bridge.inputsOf('threads.openInbox')).not.toEqual([]))
  put(bridge, threads, over)
  await act(() => Promise.resolve())
  return { bridge, ...view }
}

const names = (): readonly string[] =>
  screen.queryAllByRole('button', { name: /^#release-4-2: / }).map((row) => row.getAttribute('aria-label') ?? '')
const row = (id: string): HTMLElement => screen.getByRole('button', { name: new RegExp(`Question ${id}|${id}, `) })
const choose = (name: string): Promise<void> => userEvent.click(screen.getByRole('radio', { name }))

afterEach(async () => {
  // The filter is stored between visits of one window; each test starts with the first filter.
  const unread = screen.queryByRole('radio', { name: /^Unread/ })
  if (unread !== null) await userEvent.click(unread)
  cleanup()
})

test('opens with unread threads; each filter shows its own list', async () => {
  await show([aThread('a', { unread: 2 }), aThread('b', { by: 'ola' }), aThread('c', { following: false })])
  expect(names()).toEqual(['#release-4-2: Question a, Priya Raman, 3 replies, 2 new'])
  await choose('Mine')
  expect(names()).toEqual(['#release-4-2: Question b, Ola Wiśniewska, 3 replies'])
  await choose('Following')
  expect(names()).toHaveLength(2)
  await choose('All')
  expect(names()).toHaveLength(3)
})

test('a card shows channel, participants, parent message, newest reply and a draft', async () => {
  const { bridge } = await show([aThread('a', { unread: 1, title: 'Offline tiles' })])
  const key = `${CID}/a`
  const draft = {
    key,
    cid: CID,
    parentId: 'a',
    text: 'half a',
    uploads: [],
    caret: 0,
    showInChannel: false,
    updatedAt: 1,
  }
  act(() => bridge.change({ drafts: { [key]: draft as never } }))
  await act(() => Promise.resolve())
  const description = /^Latest reply by Jonas Lindqvist, .*: Answer a$/
  const name = /Offline tiles, Priya Raman, 3 replies, 1 new$/
  expect(screen.getByRole('button', { name, description })).toBeDefined()
  const card = screen.getByRole('listitem')
  expect(within(card).getByText('2 earlier replies')).toBeDefined()
  expect(within(card).getByText('Draft')).toBeDefined()
})

test('J and K move, E marks read, U marks unread from the newest reply, Enter opens the panel', async () => {
  const { bridge, store } = await show([aThread('a', { unread: 1 }), aThread('b', { unread: 3 })])
  row('a').focus()
  await userEvent.keyboard('j')
  expect(document.activeElement).toBe(row('b'))
  await userEvent.keyboard('ku')
  expect(bridge.inputsOf('threads.markUnread')).toEqual([{ cid: CID, parentId: 'a', messageId: 'a-last' }])
  await userEvent.keyboard('e')
  expect(bridge.inputsOf('threads.markRead')).toEqual([{ cid: CID, parentId: 'a' }])
  await userEvent.keyboard('{Enter}')
  expect(store.getState().ui.panel).toEqual({ kind: 'thread', cid: CID, parentId: 'a' })
})

test('the header shows the number of followed threads and marks all read; the count is on the filter', async () => {
  const { bridge } = await show([aThread('a', { unread: 1 }), aThread('b', { unread: 3 }), aThread('c')])
  act(() => bridge.change({ inbox: { self: { unreadThreads: 2, invites: [] } } }))
  expect(await screen.findByRole('radio', { name: 'Unread, 2' })).toBeDefined()
  expect(screen.getByText('You follow 3 threads')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }))
  await waitFor(() => expect(bridge.inputsOf('threads.markRead')).toHaveLength(2))
  expect(bridge.inputsOf('threads.markRead')).toEqual([
    { cid: CID, parentId: 'a' },
    { cid: CID, parentId: 'b' },
  ])
})

test('marking all read can be undone to the exact replies, until something new arrives', async () => {
  const { bridge } = await show([aThread('a', { unread: 1 }), aThread('b', { unread: 3 })])
  bridge.on('channels.unreadPlaces', () => [
    { cid: CID, unread: 4, mentions: 0, newestAt: 0, preview: [] },
    { cid: CID, parentId: 'a', firstId: 'a-last', unread: 1, mentions: 0, newestAt: 0, preview: [] },
    { cid: CID, parentId: 'b', firstId: 'b-second', unread: 3, mentions: 0, newestAt: 0, preview: [] },
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }))
  put(bridge, [aThread('a'), aThread('b')])
  const undo = await screen.findByRole('button', { name: 'Undo: mark as unread' })
  expect(document.activeElement).toBe(undo)
  await userEvent.click(undo)
  expect(bridge.inputsOf('threads.markUnread')).toEqual([
    { cid: CID, parentId: 'a', messageId: 'a-last' },
    { cid: CID, parentId: 'b', messageId: 'b-second' },
  ])
  expect(screen.queryByRole('button', { name: 'Undo: mark as unread' })).toBeNull()
})

test('a letter outside a row does nothing', async () => {
  const { bridge } = await show([aThread('a', { unread: 1 })])
  screen.getByRole('heading', { name: 'Threads' }).focus()
  await userEvent.keyboard('eu')
  expect(bridge.inputsOf('threads.markRead')).toEqual([])
  expect(bridge.inputsOf('threads.markUnread')).toEqual([])
})

test('new replies wait behind a button; nothing moves and the focus stays', async () => {
  const { bridge } = await show([aThread('a', { unread: 1 }), aThread('b', { unread: 1 })])
  row('b').focus()
  put(bridge, [aThread('new', { unread: 1 }), aThread('b', { unread: 2 }), aThread('a')])
  await act(() => Promise.resolve())
  expect(names().map((name) => /Question (\w+)/.exec(name)?.[1])).toEqual(['a', 'b'])
  expect(document.activeElement).toBe(row('b'))
  await userEvent.click(screen.getByRole('button', { name: '1 new thread' }))
  expect(names().map((name) => /Question (\w+)/.exec(name)?.[1])).toEqual(['new', 'b'])
})

test('the bell button unfollows a thread', async () => {
  const { bridge } = await show([aThread('a', { unread: 1 })])
  await userEvent.click(screen.getByRole('button', { name: 'Unfollow thread' }))
  expect(bridge.inputsOf('threads.follow')).toEqual([{ cid: CID, parentId: 'a', follows: false }])
})

test('the next page loads on click, and a failed page can be retried', async () => {
  const { bridge } = await show([aThread('a', { unread: 1 })], { hasNext: true })
  bridge.on('threads.pageInbox', () => {
    throw { code: 'network/timeout' } as unknown as Error
  })
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
  expect(await screen.findByText('Couldn’t load more threads.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(bridge.inputsOf('threads.pageInbox')).toHaveLength(2)
})

test('no unread threads, no threads, offline and failed each have their own text', async () => {
  const { bridge } = await show([aThread('a')])
  expect(screen.getByRole('heading', { name: 'You’re all caught up' })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Show all' }))
  expect(names()).toHaveLength(1)
  put(bridge, [])
  expect(await screen.findByRole('heading', { name: 'No threads yet' })).toBeDefined()
  act(() => bridge.change({ connection: { self: aConnection({ state: 'unhealthy', offline: true }) } }))
  expect(await screen.findByRole('heading', { name: 'Nothing saved here yet' })).toBeDefined()
  put(bridge, [], { error: 'network/offline' })
  expect(await screen.findByRole('heading', { name: 'Couldn’t load your threads' })).toBeDefined()
  const before = bridge.inputsOf('threads.openInbox').length
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(bridge.inputsOf('threads.openInbox')).toHaveLength(before + 1)
})

test('leaving notifies the engine', async () => {
  const { bridge, unmount } = await show([aThread('a')])
  const opened = bridge.inputsOf('threads.openInbox').length
  expect(bridge.inputsOf('threads.closeInbox')).toHaveLength(opened - 1)
  unmount()
  expect(bridge.inputsOf('threads.closeInbox')).toHaveLength(opened)
})

test('R replies in place; typed keys are text, and Esc returns to the card', async () => {
  const { bridge } = await show([aThread('a', { unread: 1 }), aThread('b', { unread: 1 })])
  act(() => row('a').focus())
  await userEvent.keyboard('r')
  const card = row('a').closest('li') ?? document.body
  const field = await within(card).findByRole('textbox')
  await waitFor(() => expect(document.activeElement).toBe(field))
  await userEvent.keyboard('jeu')
  expect((field as HTMLTextAreaElement).value).toBe('jeu')
  expect(bridge.inputsOf('threads.markRead')).toEqual([])
  await userEvent.keyboard('{Enter}')
  await waitFor(() =>
    expect(bridge.inputsOf('messages.send')).toEqual([
      expect.objectContaining({ cid: CID, parentId: 'a', text: 'jeu' }),
    ]),
  )
  await userEvent.keyboard('{Escape}')
  expect(within(card).queryByRole('textbox')).toBeNull()
  expect(document.activeElement).toBe(row('a'))
})
