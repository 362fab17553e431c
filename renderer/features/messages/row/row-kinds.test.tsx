import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test } from 'vitest'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import type { Message } from '#shared/domain/message.ts'
import {
  aChannel,
  aConfig,
  addLittleEngine,
  aMessage,
  aSession,
  at,
  aUser,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
  shapeOf,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { dayPickerOpened } from '../../../store/window/overlays.ts'
import { MessageList } from '../list/MessagePane.tsx'

const CID = asCid('messaging:general')
afterEach(cleanup)

type Setup = {
  readonly messages: readonly Message[]
  readonly channel?: Parameters<typeof aChannel>[0]
  readonly window?: Parameters<typeof aWindow>[2]
  readonly reads?: readonly { readonly userId: string; readonly lastReadAt: number; readonly deliveredAt?: number }[]
}

async function show({ messages, channel = {}, window = {}, reads = [] }: Setup) {
  const user = userEvent.setup()
  const bridge = addLittleEngine(
    createFakeBridge({
      rows: {
        users: byId([aUser({ id: 'ola', name: 'Ola' }), aUser({ id: 'jonas', name: 'Jonas' })]),
        channels: byCid([aChannel(channel)]),
        messages: byId(messages),
        reads: { [CID]: { cid: CID, reads: reads.map((read) => ({ ...read, userId: asUserId(read.userId) })) } },
        session: { self: aSession() },
      },
      windows: [
        aWindow(
          `timeline:${CID}`,
          messages.map(({ id }) => id),
          window,
        ),
      ],
    }),
  )
  const { store } = await renderInApp(<MessageList cid={CID} />, bridge)
  await waitFor(() => expect(bridge.inputsOf('channels.open')).not.toEqual([]))
  await act(() => Promise.resolve())
  return { user, bridge, store }
}

const messageAt = (id: string, minutes: number, over: Parameters<typeof aMessage>[0] = {}): Message =>
  aMessage({ text: `words of ${id}`, userId: 'jonas', ...over, id, createdAt: at(10, minutes) })
const deletedMessage = (id: string, minutes: number): Message =>
  messageAt(id, minutes, { type: 'deleted', deletedAt: at(11, 0), text: '' })
const rowOf = (id: string): HTMLElement =>
  document.querySelector<HTMLElement>(`[data-message-id="${id}"]`) ?? document.body

describe('deleted messages', () => {
  test('next to each other are one line that Enter expands to authors and times', async () => {
    const { user } = await show({
      messages: [messageAt('a', 0), deletedMessage('b', 1), deletedMessage('c', 2), messageAt('d', 3)],
    })
    const line = screen.getByRole('article', { name: '2 messages deleted' })
    expect(screen.getAllByRole('article')).toHaveLength(3)
    act(() => line.focus())
    await user.keyboard('{Enter}')
    expect(
      within(line)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Jonas, 10:01 AM', 'Jonas, 10:02 AM'])
    // The message after it starts a new group.
    expect(within(rowOf('d')).getByText('Jonas')).toBeDefined()
  })

  test('with replies still open their thread', async () => {
    const thread = { replyCount: 2, participantIds: [asUserId('ola')], unread: 0 }
    const { user, store } = await show({ messages: [deletedMessage('a', 1), { ...deletedMessage('b', 2), thread }] })
    expect(screen.getAllByText('This message was deleted')).toHaveLength(2)
    await user.click(screen.getByRole('button', { name: 'Open thread, 2 replies' }))
    expect(store.getState().ui.panel).toMatchObject({ kind: 'thread', parentId: 'b' })
  })
})

describe('the response of a command', () => {
  test('has its buttons, a note that only the viewer sees it, and can be dismissed', async () => {
    const { user, bridge } = await show({ messages: [{ ...shapeOf('answer'), cid: CID }] })
    expect(screen.getByText('Only you can see this')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Shuffle' }))
    const messageId = 'shape-answer'
    expect(bridge.inputsOf('messages.press')).toEqual([{ messageId, name: 'image_action', value: 'shuffle' }])
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    act(() => rowOf(messageId).focus())
    await user.keyboard('{Delete}')
    expect(bridge.inputsOf('messages.dismiss')).toEqual([{ messageId }, { messageId }])
    expect(bridge.inputsOf('messages.delete')).toEqual([])
  })
})

describe('messages sent silently', () => {
  test('are marked, but responses that only the viewer sees are not', async () => {
    const own = { silent: true, userId: asUserId('ola'), cid: CID } as const
    await show({ messages: [{ ...shapeOf('answer'), ...own }, messageAt('b', 9, own)] })
    expect(rowOf('shape-answer').textContent).not.toContain('Sent silently')
    expect(rowOf('shape-answer').getAttribute('aria-label')).not.toContain('sent silently')
    expect(rowOf('b').getAttribute('aria-label')).toContain('sent silently')
  })
})

describe('details', () => {
  test('show who read and received the message, and every earlier version with its changes', async () => {
    const message = messageAt('a', 0, { userId: 'ola', text: 'Ship the plan', editedAt: at(10, 5) })
    const { user, bridge } = await show({
      messages: [message],
      channel: { config: aConfig({ deliveryEvents: true }) },
      reads: [
        { userId: 'jonas', lastReadAt: at(10, 1) },
        { userId: 'priya', lastReadAt: 0, deliveredAt: at(10, 2) },
      ],
    })
    bridge.on('messages.revisions', () => [{ at: message.createdAt, text: 'Ship teh plan' }])
    await user.click(screen.getByRole('button', { name: /Show what changed$/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Message details' })
    expect(within(within(dialog).getByRole('list', { name: 'Seen by' })).getByText('Jonas')).toBeDefined()
    expect(within(dialog).getByRole('list', { name: 'Delivered to' }).textContent).toContain('priya')
    const edits = await within(dialog).findByRole('region', { name: 'Edits' })
    expect(edits.querySelector('del')?.textContent).toBe('Removed: teh')
    expect(edits.querySelector('ins')?.textContent).toBe('Added: the')
    expect(edits.textContent).toContain('Ship teh plan')
  })

  test('say when earlier versions are not stored on this device', async () => {
    const { user } = await show({ messages: [messageAt('a', 0, { editedAt: at(10, 5) })] })
    act(() => rowOf('a').focus())
    await user.keyboard('i')
    expect(await screen.findByText('Earlier versions aren’t available on this device.')).toBeDefined()
    expect(screen.getByText('No one yet')).toBeDefined()
  })
})

describe('a profile', () => {
  test('opens by a click on the name, the portrait or a mention', async () => {
    const { user, store } = await show({
      messages: [messageAt('a', 0, { text: 'Ask @Ola', mentionedUserIds: [asUserId('ola')] })],
    })
    await user.click(within(rowOf('a')).getByRole('button', { name: 'Jonas' }))
    expect(store.getState().ui.dialog).toEqual({ kind: 'person', userId: 'jonas' })
    await user.click(within(rowOf('a')).getByRole('button', { name: '@Ola' }))
    expect(store.getState().ui.dialog).toEqual({ kind: 'person', userId: 'ola' })
    const portrait = rowOf('a').querySelector<HTMLElement>('button[aria-hidden="true"]')
    if (portrait !== null) await user.click(portrait)
    expect(store.getState().ui.dialog).toEqual({ kind: 'person', userId: 'jonas' })
  })
})

describe('a line without a head', () => {
  test('has its time for the pointer; while messages are selected it has a mark instead', async () => {
    const { user } = await show({ messages: [messageAt('a', 0), messageAt('b', 1)] })
    const line = rowOf('b')
    expect(line.querySelector('[data-time]')?.getAttribute('data-time')).toBe('10:01 AM')
    expect(line.querySelector('svg')).toBeNull()
    act(() => line.focus())
    await user.keyboard('x')
    expect(line.querySelector('[data-time]')).toBeNull()
    expect(line.querySelector('svg')).not.toBeNull()
  })
})

describe('quoting', () => {
  test('selected text of a message is inserted into the composer as a quotation', async () => {
    const { user, store } = await show({ messages: [messageAt('a', 0, { text: 'Ship on Friday. Then rest.' })] })
    const text = rowOf('a').querySelector('[data-message-text] p')?.firstChild
    act(() => rowOf('a').focus())
    if (text) getSelection()?.setBaseAndExtent(text, 0, text, 'Ship on Friday.'.length)
    await user.keyboard('q')
    expect(store.getState().composers[CID]).toMatchObject({ quotedId: 'a', text: '> Ship on Friday.\n\n' })
  })
})

describe('the viewer’s newest message', () => {
  const own = messageAt('a', 0, { userId: 'ola' })
  const marks = () => screen.queryByRole('img', { name: /^(Sent|Delivered|Seen)/ })?.getAttribute('aria-label')

  test('shows Sent, Delivered, then Seen', async () => {
    await show({ messages: [own] })
    expect(marks()).toBe('Sent')
    cleanup()
    await show({ messages: [own], reads: [{ userId: 'jonas', lastReadAt: 0, deliveredAt: at(10, 0) }] })
    expect(marks()).toBe('Delivered')
    cleanup()
    await show({ messages: [own], reads: [{ userId: 'jonas', lastReadAt: at(10, 1), deliveredAt: at(10, 0) }] })
    expect(marks()).toBe('Seen by Jonas')
  })
})

describe('the beginning of the list', () => {
  const cleared = { truncatedAt: at(9, 0, 3), truncatedBy: asUserId('jonas') }

  test('shows when and by whom the history was cleared, once nothing older is left to load', async () => {
    await show({ messages: [messageAt('a', 0)], channel: cleared })
    expect(screen.getByRole('separator', { name: 'History before 11/17/26 was cleared by Jonas' })).toBeDefined()
    cleanup()
    await show({ messages: [messageAt('a', 0)], channel: cleared, window: { hasPrev: true } })
    expect(screen.queryByRole('separator', { name: /was cleared/ })).toBeNull()
  })
})

describe('going to a day', () => {
  test('from a day divider requests the first message of that day', async () => {
    const { user, bridge } = await show({ messages: [messageAt('a', 0)] })
    await user.click(screen.getByRole('button', { name: /Jump to another day$/ }))
    await user.click(
      within(await screen.findByRole('menu', { name: 'Jump to' })).getByText('Beginning of the conversation'),
    )
    await waitFor(() => expect(bridge.inputsOf('channels.open').at(-1)).toMatchObject({ cid: CID, at: 0 }))
  })

  test('by date opens from anywhere and refuses a future day', async () => {
    const { user, bridge, store } = await show({ messages: [messageAt('a', 0)] })
    act(() => void store.dispatch(dayPickerOpened({ cid: CID })))
    const dialog = await screen.findByRole('dialog', { name: 'Jump to a day' })
    await user.type(within(dialog).getByLabelText('Day'), '2999-01-01')
    await user.click(within(dialog).getByRole('button', { name: 'Jump' }))
    expect(within(dialog).getByText('Choose a day up to today')).toBeDefined()
    await user.clear(within(dialog).getByLabelText('Day'))
    await user.type(within(dialog).getByLabelText('Day'), '2020-02-03')
    await user.click(within(dialog).getByRole('button', { name: 'Jump' }))
    const day = new Date(2020, 1, 3).getTime()
    await waitFor(() => expect(bridge.inputsOf('channels.open').at(-1)).toMatchObject({ cid: CID, at: day }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('reactions', () => {
  test.each([
    [999, '999'],
    [1_000, '999+'],
    [1_000_000, '999+'],
  ])('%i of one kind are shown as %s', async (count, shown) => {
    const like = {
      type: 'like',
      count,
      sumScores: count,
      own: false,
      userIds: [],
      firstAt: at(10, 1),
      lastAt: at(10, 1),
    }
    await show({ messages: [messageAt('a', 0, { reactions: [like] })] })
    const chip = within(rowOf('a')).getByRole('button', { name: new RegExp(count.toLocaleString('en')) })
    expect(within(chip).getByText(shown)).toBeDefined()
  })

  test('a score of a million is shown as "999+" too', async () => {
    const like = {
      type: 'like',
      count: 2,
      sumScores: 1_000_000,
      own: false,
      userIds: [],
      firstAt: at(10, 1),
      lastAt: at(10, 1),
    }
    await show({ messages: [messageAt('a', 0, { reactions: [like] })] })
    expect(within(rowOf('a')).getByText(/999\+/)).toBeDefined()
  })
})

test('a message of unknown time says so, shows its author, and has no time or day', async () => {
  await show({ messages: [messageAt('a', 0), { ...messageAt('b', 1), timeUnsure: true }] })
  expect(within(rowOf('b')).getByRole('img', { name: 'The time of this message isn’t known.' })).toBeDefined()
  expect(within(rowOf('b')).getByText('Jonas')).toBeDefined()
  expect(rowOf('b').getAttribute('aria-label')).toContain('The time of this message isn’t known.')
  expect(rowOf('a').querySelector('time')).not.toBe(null)
  expect(rowOf('b').querySelector('time')).toBeNull()
  expect(rowOf('b').textContent).not.toContain('10:01')
})

test('a quoted message without words is called what it is', async () => {
  const quoted = { id: asMessageId('q'), userId: asUserId('jonas'), text: '', deleted: false }
  await show({
    messages: [
      { ...messageAt('a', 0), quoted: { ...quoted, content: 'poll' } },
      { ...messageAt('b', 1), quoted: { ...quoted, content: 'voiceRecording' } },
      { ...messageAt('c', 2), quoted: { ...quoted, content: 'file' } },
      { ...messageAt('d', 3), quoted: { ...quoted, content: 'location' } },
    ],
  })
  for (const [id, name] of [
    ['a', 'Poll'],
    ['b', 'Voice message'],
    ['c', 'File'],
    ['d', 'Location'],
  ] as const) {
    expect(within(rowOf(id)).getByRole('button', { name: new RegExp(`${name}$`) }), id).toBeDefined()
  }
})

test('a reply of this minute was now, not in a minute', async () => {
  const thread = { replyCount: 1, participantIds: [], unread: 0, lastReplyAt: Date.now() + 59_000 }
  await show({ messages: [{ ...messageAt('a', 0), thread }] })
  expect(within(rowOf('a')).getByText('Last reply now')).toBeDefined()
})
