import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { asCid, asMessageId, asUserId, asPollId } from '#shared/lib/brand.ts'
import type { Message } from '#shared/domain/message.ts'
import {
  aChannel,
  addLittleEngine,
  aMessage,
  aSession,
  at,
  aUser,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
  type FakeBridge,
  someSettings,
} from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { onAnnouncement } from '../../../lib/page/announce.ts'
import { MessageList } from './MessagePane.tsx'

const CID = asCid('messaging:general')
const OLA = aUser({ id: 'ola', name: 'Ola Wiśniewska' })
const JONAS = aUser({ id: 'jonas', name: 'Jonas Lindqvist' })

const messageFrom = (id: string, userId: string, minutes: number, over: Parameters<typeof aMessage>[0] = {}): Message =>
  aMessage({ text: `words of ${id}`, ...over, id, userId, createdAt: at(10, minutes) })

type Setup = {
  messages: readonly Message[]
  channel?: Parameters<typeof aChannel>[0]
  window?: Parameters<typeof aWindow>[2]
}

async function show({ messages, channel = {}, window = {} }: Setup) {
  const bridge = addLittleEngine(
    createFakeBridge({
      rows: {
        users: byId([OLA, JONAS]),
        channels: byCid([aChannel(channel)]),
        messages: byId(messages),
        session: { self: aSession() },
      },
      windows: [
        aWindow(
          `timeline:${CID}`,
          messages.map((message) => message.id),
          window,
        ),
      ],
    }),
  )
  const view = await renderInApp(<MessageList cid={CID} />, bridge)
  await waitFor(() => expect(bridge.inputsOf('channels.open')).not.toEqual([]))
  await act(() => Promise.resolve())
  return { bridge, ...view }
}

const row = (id: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-message-id="${id}"]`)
  if (found === null) throw new Error(`no row ${id}`)
  return found
}
const focused = (): string | undefined => (document.activeElement as HTMLElement | null)?.dataset['messageId']
const put = async (bridge: FakeBridge, messages: readonly Message[], all: readonly string[]): Promise<void> => {
  await act(async () => {
    bridge.change({ messages: byId(messages) }, [aWindow(`timeline:${CID}`, all)])
    await Promise.resolve()
  })
}

afterEach(cleanup)

describe('the list', () => {
  test('is a log without automatic announcements, with its data attributes', async () => {
    await show({ messages: [messageFrom('a', 'jonas', 0)] })
    const log = screen.getByRole('log', { name: 'Messages in general' })
    expect(log.getAttribute('aria-live')).toBe('off')
    expect(log.dataset['messageList']).toBe(CID)
    expect(log.dataset['loaded']).toBe('1')
    expect(within(log).getByRole('article', { name: 'Jonas Lindqvist: words of a. 10:00 AM' })).toBe(row('a'))
  })

  test('shows the name once per group', async () => {
    await show({ messages: [messageFrom('a', 'jonas', 0), messageFrom('b', 'jonas', 1)] })
    expect(screen.getAllByText('Jonas Lindqvist')).toHaveLength(1)
    expect(screen.getAllByRole('article')).toHaveLength(2)
  })

  test('places the unread line once and leaves it when the channel is marked read', async () => {
    const messages = [messageFrom('a', 'jonas', 0), messageFrom('b', 'jonas', 10)]
    const { bridge } = await show({ messages, channel: { unread: 1, firstUnreadId: asMessageId('b') } })
    expect(screen.getByRole('separator', { name: '1 new message' })).toBeDefined()
    await act(async () => {
      bridge.change({ channels: byCid([aChannel({ unread: 0 })]) })
      await Promise.resolve()
    })
    expect(screen.getByRole('separator', { name: '1 new message' })).toBeDefined()
  })

  test('names a row by its content and states', async () => {
    await show({
      messages: [
        messageFrom('a', 'jonas', 0, {
          mentionedUserIds: [asUserId('ola')],
          text: 'hi @Ola Wiśniewska',
          editedAt: at(10, 5),
          pinned: true,
        }),
      ],
    })
    expect(row('a').getAttribute('aria-label')).toBe(
      'Jonas Lindqvist: hi @Ola Wiśniewska. mentions you. edited, pinned. 10:00 AM',
    )
  })

  test('the list of a direct conversation is named by its people', async () => {
    await show({ messages: [], channel: { name: '', directUserIds: [asUserId('jonas')] } })
    expect(screen.getByRole('log', { name: 'Messages in Jonas Lindqvist' })).toBeDefined()
  })

  test('a deleted message keeps its place', async () => {
    await show({ messages: [messageFrom('a', 'jonas', 0, { type: 'deleted', deletedAt: at(10, 1) })] })
    expect(screen.getByText('This message was deleted')).toBeDefined()
  })

  test('an empty channel says so, a failed one offers to try again', async () => {
    await show({ messages: [] })
    expect(screen.getByText('No messages yet')).toBeDefined()
    expect(screen.getByText('Write the first one below.')).toBeDefined()
    cleanup()
    await show({ messages: [], channel: { frozen: true, capabilities: ['read-events'] } })
    expect(screen.queryAllByText('No messages yet').length).toBe(1)
    expect(screen.queryByText(/below/)).toBeNull()
    cleanup()
    const { bridge } = await show({ messages: [], window: { error: 'server/timeout' } })
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(bridge.inputsOf('channels.open').length).toBeGreaterThan(1)
  })

  test('while loading shows a skeleton, after a second a text, after ten seconds actions', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const bridge = createFakeBridge({ rows: { channels: byCid([aChannel({})]), session: { self: aSession() } } })
    bridge.on('channels.open', () => undefined)
    const { container, store } = await renderInApp(<MessageList cid={CID} />, bridge)
    const after = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
    const bones = () => container.querySelectorAll('[class*="bone_"], [class*="_bone"]').length
    const isLoadingShown = () => screen.queryByText(/^Loading messages…/) !== null
    expect(bones()).toBeGreaterThan(0)
    expect(isLoadingShown()).toBe(false)
    after(150)
    after(849)
    expect(bones()).toBeGreaterThan(0)
    expect(isLoadingShown()).toBe(false)
    after(1)
    expect(isLoadingShown()).toBe(true)
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    after(9_000)
    expect(screen.getByText('Loading messages… This is taking longer than usual.')).toBeDefined()
    const openCalls = bridge.inputsOf('channels.open').length
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(bridge.inputsOf('channels.open').length).toBeGreaterThan(openCalls)
    fireEvent.click(screen.getByRole('button', { name: 'Show connection details' }))
    expect(store.getState().ui.route).toEqual({ view: 'settings', section: 'advanced' })
  })

  test('a gap shows its period and a button to load the missing messages', async () => {
    const { bridge } = await show({
      messages: [messageFrom('a', 'jonas', 0), messageFrom('b', 'jonas', 9)],
      window: { gapsBefore: ['b'] },
    })
    expect(screen.getByText('between 10:00 AM and 10:09 AM')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Load missing messages' }))
    expect(bridge.inputsOf('channels.open')).toContainEqual({ cid: CID, around: 'b' })
  })

  test('closes its window on unmount', async () => {
    const { bridge, unmount } = await show({ messages: [messageFrom('a', 'jonas', 0)] })
    const before = bridge.inputsOf('channels.close').length
    unmount()
    expect(bridge.inputsOf('channels.close').slice(before)).toEqual([{ cid: CID }])
  })
})

describe('own messages', () => {
  test('that failed show the reason and can be retried or deleted', async () => {
    const message = messageFrom('a', 'ola', 0, {
      status: 'failed',
      failure: { code: 'server/timeout', retryable: true },
    })
    const { bridge } = await show({ messages: [message] })
    expect(screen.getByText(/^Not sent\./)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(bridge.inputsOf('outbox.retry')).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
    expect(bridge.inputsOf('messages.delete')).toEqual([{ messageId: 'a', undoForMs: 8_000 }])
  })

  test('that are too long offer to edit, not to try again', async () => {
    await show({
      messages: [
        messageFrom('a', 'ola', 0, { status: 'failed', failure: { code: 'message/too-long', retryable: false } }),
      ],
    })
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Edit' })).toBeDefined()
  })

  test('that are queued say so', async () => {
    await show({ messages: [messageFrom('a', 'ola', 0, { status: 'queued' })] })
    expect(screen.getByText('Queued. It will be sent when you’re back online.')).toBeDefined()
  })
})

describe('keyboard', () => {
  test('the author is the first stop inside of the focused message, and of no other', async () => {
    await show({ messages: [messageFrom('a', 'jonas', 0), messageFrom('b', 'ola', 1)] })
    await userEvent.tab()
    expect(focused()).toBe('b')
    expect(screen.getAllByRole('button', { name: /^(Jonas|Ola)/ }).map(({ tabIndex }) => tabIndex)).toEqual([-1, 0])
  })

  test('one tab stop; arrows, Home, End, J and K move between messages', async () => {
    await show({ messages: [messageFrom('a', 'jonas', 0), messageFrom('b', 'ola', 1), messageFrom('c', 'jonas', 2)] })
    await userEvent.tab()
    expect(focused()).toBe('c')
    await userEvent.keyboard('{ArrowUp}')
    expect(focused()).toBe('b')
    await userEvent.keyboard('k')
    expect(focused()).toBe('a')
    await userEvent.keyboard('j')
    expect(focused()).toBe('b')
    await userEvent.keyboard('{End}')
    expect(focused()).toBe('c')
    await userEvent.keyboard('{Home}')
    expect(focused()).toBe('a')
  })

  test('T opens the thread, Q quotes, E edits an own message', async () => {
    const { store } = await show({ messages: [messageFrom('a', 'jonas', 0), messageFrom('b', 'ola', 1)] })
    row('a').focus()
    await userEvent.keyboard('t')
    expect(store.getState().ui.panel).toEqual({ kind: 'thread', cid: CID, parentId: 'a' })
    row('a').focus()
    await userEvent.keyboard('q')
    expect(store.getState().composers[CID]?.quotedId).toBe('a')
    row('b').focus()
    await userEvent.keyboard('e')
    expect(store.getState().composers[CID]?.editing?.messageId).toBe('b')
  })

  test('E does nothing on another person’s message', async () => {
    const { store } = await show({ messages: [messageFrom('a', 'jonas', 0)] })
    row('a').focus()
    await userEvent.keyboard('e')
    expect(store.getState().composers[CID]?.editing).toBeUndefined()
  })

  test('Delete asks first with focus on Cancel, then deletes', async () => {
    const { bridge } = await show({ messages: [messageFrom('a', 'ola', 0)] })
    row('a').focus()
    await userEvent.keyboard('{Delete}')
    const dialog = screen.getByRole('alertdialog', { name: 'Delete this message?' })
    expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(bridge.inputsOf('messages.delete')).toEqual([])
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete message' }))
    expect(bridge.inputsOf('messages.delete')).toEqual([{ messageId: 'a', undoForMs: 8_000 }])
  })

  test('focus moves to the next message when the focused one is removed', async () => {
    const messages = [messageFrom('a', 'jonas', 0), messageFrom('b', 'ola', 1), messageFrom('c', 'jonas', 2)]
    const { bridge } = await show({ messages })
    row('b').focus()
    await put(bridge, [], ['a', 'c'])
    await waitFor(() => expect(focused()).toBe('c'))
  })

  test('Enter opens the menu of all actions, where Mark unread moves the unread line', async () => {
    const { bridge, store } = await show({ messages: [messageFrom('a', 'jonas', 0)] })
    row('a').focus()
    await userEvent.keyboard('{Enter}')
    const menu = screen.getByRole('menu', { name: 'Message actions' })
    await userEvent.click(within(menu).getByRole('menuitem', { name: /Mark unread from here/ }))
    expect(bridge.inputsOf('channels.markUnread')).toEqual([{ cid: CID, messageId: 'a' }])
    expect(store.getState().ui.unreadByHand[CID]).toBe(true)
    expect(screen.getByRole('separator', { name: '1 new message' })).toBeDefined()
  })

  test('Escape returns to the composer', async () => {
    const { store } = await show({ messages: [messageFrom('a', 'jonas', 0)] })
    const before = store.getState().composers[CID]?.focusRequest ?? 0
    row('a').focus()
    await userEvent.keyboard('{Escape}')
    expect(store.getState().composers[CID]?.focusRequest).toBe(before + 1)
  })
})

describe('reactions, threads and quotes', () => {
  test('a click toggles a reaction, whose label says if it is the viewer’s', async () => {
    const reactions = [
      { type: '👍', count: 2, sumScores: 2, firstAt: 1, lastAt: 2, own: true, userIds: [asUserId('jonas')] },
    ]
    const { bridge } = await show({ messages: [messageFrom('a', 'jonas', 0, { reactions })] })
    const chip = screen.getByRole('button', { name: '👍, 2, including you' })
    expect(chip.getAttribute('aria-pressed')).toBe('true')
    await userEvent.click(chip)
    expect(bridge.inputsOf('messages.toggleReaction')).toEqual([{ messageId: 'a', type: '👍' }])
  })

  test('holding a reaction raises its score, sent on release; Shift Enter adds one', async () => {
    const userIds = [asUserId('jonas')]
    const clap = { type: '👏', count: 2, sumScores: 5, firstAt: 1, lastAt: 2, own: true, ownScore: 2, userIds }
    const { bridge } = await show({ messages: [messageFrom('a', 'jonas', 0, { reactions: [clap] })] })
    const chip = screen.getByRole('button', { name: '👏, 2, 5 in total, 2 from you' })
    expect(chip.textContent).toBe('👏2(5)')
    const given = () => bridge.inputsOf('messages.scoreReaction')
    vi.useFakeTimers()
    try {
      fireEvent.pointerDown(chip, { button: 0 })
      act(() => void vi.advanceTimersByTime(450))
      expect(chip.textContent).toBe('👏×3')
      act(() => void vi.advanceTimersByTime(5_000))
      expect(chip.textContent).toBe('👏×10')
      fireEvent.pointerUp(chip)
      fireEvent.click(chip)
      act(() => void vi.runOnlyPendingTimers())
    } finally {
      vi.useRealTimers()
    }
    expect(given()).toEqual([{ messageId: 'a', type: '👏', score: 10 }])
    expect(bridge.inputsOf('messages.toggleReaction')).toEqual([])
    fireEvent.keyDown(chip, { key: 'Enter', shiftKey: true })
    expect(given().at(-1)).toEqual({ messageId: 'a', type: '👏', score: 3 })
    // The next click is a normal click.
    fireEvent.pointerDown(chip, { button: 0 })
    fireEvent.pointerUp(chip)
    fireEvent.click(chip)
    expect(bridge.inputsOf('messages.toggleReaction')).toHaveLength(1)
  })

  test('when a clicked reaction disappears the focus moves to its message', async () => {
    const mine = { type: '👍', count: 1, sumScores: 1, firstAt: 1, lastAt: 1, own: true, userIds: [] }
    const { bridge } = await show({ messages: [messageFrom('a', 'jonas', 0, { reactions: [mine] })] })
    await userEvent.click(screen.getByRole('button', { name: '👍, 1, including you' }))
    act(() => bridge.change({ messages: { a: messageFrom('a', 'jonas', 0) } }))
    await waitFor(() => expect(screen.queryByRole('button', { name: /^👍/ })).toBeNull())
    expect(document.activeElement).toBe(row('a'))
  })

  test('a custom emoji reaction shows its picture, or its name once the emoji is deleted', async () => {
    const one = { count: 1, sumScores: 1, firstAt: 1, lastAt: 1, own: false, userIds: [asUserId('jonas')] }
    const { bridge } = await show({
      messages: [messageFrom('a', 'jonas', 0, { reactions: [{ ...one, type: 'parrot' }] })],
    })
    const chip = screen.getByRole('button', { name: 'parrot, 1' })
    expect(chip.textContent).toBe('parrot1')
    const parrot = { name: 'parrot', aliases: [], image: 'emoji/parrot.1', moves: false }
    bridge.mediaUrl = () => Promise.resolve('media://emoji/parrot.1/full')
    act(() => bridge.change({ emoji: { parrot } }))
    await waitFor(() => expect(chip.querySelector('img')).not.toBeNull())
    act(() => bridge.change({}, [], { emoji: ['parrot'] }))
    await waitFor(() => expect(chip.textContent).toBe('parrot1'))
  })

  test('a thread is opened from its summary', async () => {
    const thread = { replyCount: 5, lastReplyAt: at(10, 5), participantIds: [asUserId('jonas')], unread: 1 }
    const { store } = await show({ messages: [messageFrom('a', 'jonas', 0, { thread })] })
    await userEvent.click(screen.getByRole('button', { name: 'Open thread, 5 replies, new' }))
    expect(store.getState().ui.panel).toMatchObject({ kind: 'thread', parentId: 'a' })
  })

  test('a quote jumps to its message, loading around it if it is not loaded', async () => {
    const quoted = { id: asMessageId('far'), userId: asUserId('jonas'), text: 'old words', deleted: false }
    const { bridge } = await show({ messages: [messageFrom('a', 'ola', 0, { quoted })] })
    await userEvent.click(screen.getByRole('button', { name: 'Go to the quoted message. Jonas Lindqvist: old words' }))
    expect(bridge.inputsOf('channels.open').at(-1)).toMatchObject({ cid: CID, around: 'far' })
  })

  test('the toolbar appears on hover with recently used reactions', async () => {
    const { bridge } = await show({ messages: [messageFrom('a', 'jonas', 0)] })
    expect(screen.queryByRole('toolbar')).toBeNull()
    fireEvent.pointerEnter(row('a'))
    const toolbar = screen.getByRole('toolbar', { name: 'Message actions' })
    await userEvent.click(within(toolbar).getAllByRole('button', { name: /^React with/ })[0] ?? document.body)
    expect(bridge.inputsOf('messages.toggleReaction')).toHaveLength(1)
  })
})

test('new messages of others are announced, own ones and history are not', async () => {
  const announced: string[] = []
  const stop = onAnnouncement(({ text }) => announced.push(text))
  const { bridge } = await show({ messages: [messageFrom('a', 'jonas', 0)] })
  await put(bridge, [messageFrom('b', 'jonas', 1), messageFrom('c', 'ola', 2)], ['a', 'b', 'c'])
  await waitFor(() => expect(announced).toEqual(['Jonas Lindqvist: words of b']))
  await put(bridge, [messageFrom('z', 'jonas', -5)], ['z', 'a', 'b', 'c'])
  expect(announced).toEqual(['Jonas Lindqvist: words of b'])
  stop()
})

test('a new message is announced in the language it is written in', async () => {
  const polish = 'Zapytałam zarząd, czy możemy przenieść spotkanie na piątek.'
  const announced: (string | undefined)[] = []
  const stop = onAnnouncement(({ language }) => announced.push(language))
  const { bridge } = await show({ messages: [messageFrom('a', 'jonas', 0)] })
  await put(bridge, [messageFrom('b', 'jonas', 1, { text: polish })], ['a', 'b'])
  await waitFor(() => expect(announced).toEqual(['pl']))
  stop()
})

test('a new message without a text is announced as what it is', async () => {
  const announced: string[] = []
  const stop = onAnnouncement(({ text }) => announced.push(text))
  const { bridge } = await show({ messages: [messageFrom('a', 'jonas', 0)] })
  await put(bridge, [{ ...messageFrom('b', 'jonas', 1), text: '', pollId: asPollId('lunch') }], ['a', 'b'])
  await waitFor(() => expect(announced).toEqual(['Jonas Lindqvist: Poll']))
  stop()
})

test('the rows say which message they are, and of how many', async () => {
  await show({ messages: [messageFrom('a', 'jonas', 0), messageFrom('b', 'ola', 1)] })
  expect(row('b').getAttribute('aria-posinset')).toBe('2')
  expect(row('b').getAttribute('aria-setsize')).toBe('2')
})

test('a message is marked with the language it is written in, whatever its author chose, and so is a quote', async () => {
  const polish = 'Zapytałam zarząd, czy możemy przenieść spotkanie na piątek.'
  const quoted = {
    id: asMessageId('q'),
    userId: asUserId('jonas'),
    text: 'Давайте встретимся завтра утром',
    deleted: false,
  }
  const { bridge } = await show({ messages: [messageFrom('a', 'jonas', 0)] })
  await act(async () => bridge.change({ users: byId([{ ...JONAS, language: 'en' }]) }))
  await put(bridge, [{ ...messageFrom('b', 'jonas', 1), text: polish, quoted }], ['a', 'b'])
  await waitFor(() => expect(row('b').querySelector('[data-message-text]')?.getAttribute('lang')).toBe('pl'))
  expect(screen.getByText(quoted.text).getAttribute('lang')).toBe('ru')
  await waitFor(() => expect(row('a').querySelector('[data-message-text]')?.getAttribute('lang')).toBe('en'))
})

test('the name of a row is in the language of its text, what else is in the row in that of the window', async () => {
  const text = 'Zapytałam zarząd, czy możemy przenieść spotkanie na piątek.'
  const { bridge } = await show({ messages: [messageFrom('a', 'jonas', 0, { text })] })
  await waitFor(() => expect(row('a').getAttribute('lang')).toBe('pl'))
  const author = within(row('a')).getByRole('button', { name: 'Jonas Lindqvist' })
  expect(author.closest('[lang]')?.getAttribute('lang')).toBe('en')
  await act(async () => bridge.change({ settings: { self: someSettings({ rowNames: 'brief' }) } }))
  expect(row('a').getAttribute('lang')).toBe('en')
  await act(async () => bridge.change({ settings: { self: someSettings({ rowNames: 'full' }) } }))
  await waitFor(() => expect(row('a').getAttribute('lang')).toBe('pl'))
})

test('a message whose words do not tell is marked with the language of its author, where that is known', async () => {
  const short = { text: 'OK 4.2.0' }
  const { bridge } = await show({ messages: [messageFrom('a', 'jonas', 0, short), messageFrom('b', 'ola', 1, short)] })
  await act(async () => bridge.change({ users: byId([{ ...JONAS, language: 'pl' }]) }))
  await waitFor(() => expect(row('a').querySelector('[data-message-text]')?.getAttribute('lang')).toBe('pl'))
  expect(row('b').querySelector('[data-message-text]')?.hasAttribute('lang')).toBe(false)
})
