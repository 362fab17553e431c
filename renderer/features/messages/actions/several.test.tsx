import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
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
  someSettings,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { copyOf } from './copied-text.ts'
import { dropAnnouncements, onAnnouncement } from '../../../lib/page/announce.ts'
import { ForwardHost } from '../index.ts'
import { MessageList } from '../list/MessagePane.tsx'

const CID = asCid('messaging:general')
const OTHER = asCid('team:design')
const LOVE = { type: '❤️', count: 12, sumScores: 12, firstAt: at(9, 5), lastAt: at(10, 30), own: false }

const MESSAGES = [
  aMessage({ id: 'm1', userId: 'ola', text: '**one**', createdAt: at(10, 1) }),
  aMessage({ id: 'm2', userId: 'jonas', text: 'two', createdAt: at(10, 10) }),
  aMessage({
    id: 'm3',
    userId: 'jonas',
    text: 'three',
    createdAt: at(10, 20),
    reactions: [{ ...LOVE, userIds: [aUser({ id: 'ola' }).id] }],
  }),
]

async function show() {
  // Creates the test clipboard; must run before anything writes to it.
  const user = userEvent.setup()
  const bridge = addLittleEngine(
    createFakeBridge({
      rows: {
        users: byId([aUser({ id: 'ola', name: 'Ola' }), aUser({ id: 'jonas', name: 'Jonas' })]),
        channels: byCid([aChannel(), aChannel({ cid: OTHER, name: 'design' })]),
        messages: byId(MESSAGES),
        session: { self: aSession() },
      },
      windows: [aWindow(`timeline:${CID}`, ['m1', 'm2', 'm3']), aWindow('channels', [CID, OTHER])],
    }),
  )
  const view = await renderInApp(
    <>
      <MessageList cid={CID} />
      <ForwardHost />
    </>,
    bridge,
  )
  await waitFor(() => expect(bridge.inputsOf('channels.open')).not.toEqual([]))
  act(() => bridge.change({}, [aWindow('channels', [CID, OTHER])]))
  await act(() => Promise.resolve())
  return { ...view, bridge, user }
}

const row = (id: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-message-id="${id}"]`)
  if (found === null) throw new Error(`no row ${id}`)
  return found
}
const bar = (): HTMLElement | null => screen.queryByRole('toolbar', { name: 'Selected messages' })

/** What was copied. Rejects while nothing is: a text is made before it is written. */
async function clipboardText(): Promise<string> {
  const text = await navigator.clipboard.readText()
  expect(text).not.toBe('')
  return text
}

afterEach(cleanup)

describe('several messages at once', () => {
  test('X selects the focused message, Shift and arrows a range, Escape clears', async () => {
    const { user } = await show()
    act(() => row('m3').focus())
    await user.keyboard('x')
    expect(bar()?.textContent).toContain('1 selected')
    await user.keyboard('{Shift>}{ArrowUp}{/Shift}')
    expect(bar()?.textContent).toContain('2 selected')
    expect(document.activeElement).toBe(row('m2'))
    expect(row('m2').getAttribute('aria-label')).toContain('selected')
    await user.keyboard('{Escape}')
    expect(bar()).toBeNull()
  })

  test('while selecting, a click on a row only toggles it', async () => {
    const { user } = await show()
    act(() => row('m3').focus())
    await user.keyboard(' ')
    await user.click(within(row('m3')).getByRole('button', { name: /❤️, 12/ }))
    expect(bar()).toBeNull()
  })

  test('copies all of them, oldest first', async () => {
    const { user } = await show()
    act(() => row('m2').focus())
    await user.keyboard('x{Shift>}{ArrowUp}{/Shift}{Control>}c{/Control}')
    const copied = await waitFor(clipboardText)
    expect(copied.split('\n').filter((line) => /^(one|two)$/.test(line))).toEqual(['one', 'two'])
    expect(copied).toMatch(/^Ola, \d{4}-\d\d-\d\dT/)
    expect(bar()).toBeNull()
  })

  test('saves all of them to a text file; they stay selected if no file is chosen', async () => {
    const { user, bridge } = await show()
    act(() => row('m2').focus())
    await user.keyboard('x{Shift>}{ArrowUp}{/Shift}')
    bridge.on('data.exportMessages', () => ({}))
    await user.click(screen.getByRole('button', { name: 'Save to a text file…' }))
    expect(bar()).not.toBeNull()
    bridge.on('data.exportMessages', () => ({ saved: { fileName: 'a.txt', folderName: 'b', messages: 2 } }))
    await user.click(screen.getByRole('button', { name: 'Save to a text file…' }))
    await waitFor(() => expect(bar()).toBeNull())
    expect(bridge.inputsOf('data.exportMessages').at(-1)).toMatchObject({ messageIds: ['m1', 'm2'], format: 'text' })
  })

  test('saves all of them except those already saved', async () => {
    const { user, bridge } = await show()
    const saved = {
      messageId: asMessageId('m1'),
      cid: asCid('messaging:general'),
      pending: false,
      createdAt: 1,
      updatedAt: 1,
    }
    act(() => bridge.change({ reminders: { m1: saved } }))
    await act(() => Promise.resolve())
    act(() => row('m2').focus())
    await user.keyboard('x{Shift>}{ArrowUp}{/Shift}a')
    expect(bridge.inputsOf('reminders.set')).toEqual([{ messageId: 'm2' }])
    expect(bar()).toBeNull()
  })

  test('asks once before deleting, and deletes those the viewer may delete', async () => {
    const { user, bridge } = await show()
    act(() => row('m2').focus())
    await user.keyboard('x{Shift>}{ArrowUp}{/Shift}{Delete}')
    const question = screen.getByRole('alertdialog', { name: 'Delete this message?' })
    expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Cancel' }))
    await user.click(within(question).getByRole('button', { name: 'Delete message' }))
    expect(bridge.inputsOf('messages.delete')).toEqual([{ messageId: 'm1', undoForMs: 8_000 }])
  })

  test('if none may be deleted, the button says so', async () => {
    const { user, bridge } = await show()
    act(() => row('m2').focus())
    await user.keyboard('x')
    await user.click(screen.getByRole('button', { name: 'You can’t delete any of these' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(bridge.inputsOf('messages.delete')).toEqual([])
  })
})

describe('forwarding', () => {
  test('F opens the dialog; typing filters, Enter selects, and the message is sent as a quotation', async () => {
    const { user, bridge } = await show()
    act(() => row('m2').focus())
    await user.keyboard('f')
    const dialog = await screen.findByRole('dialog', { name: 'Forward 1 message' })
    await user.type(within(dialog).getByRole('combobox', { name: 'Forward to' }), 'des{Enter}')
    expect(within(dialog).getByRole('option', { name: 'design' }).getAttribute('aria-selected')).toBe('true')
    await user.type(within(dialog).getByRole('textbox', { name: /Your message/ }), 'Look')
    await user.click(within(dialog).getByRole('button', { name: 'Forward' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(bridge.inputsOf('messages.send')).toEqual([
      expect.objectContaining({ cid: OTHER, text: 'Look\n\n> **From Jonas**\n> two' }),
    ])
    expect(document.activeElement).toBe(row('m2'))
  })

  test('someone there is no conversation with is found by name; it is opened and written to', async () => {
    const { user, bridge } = await show()
    act(() => bridge.change({ users: byId([aUser({ id: 'nadia', name: 'Nadia Orlova' })]) }))
    bridge.on('channels.direct', () => OTHER)
    act(() => row('m2').focus())
    await user.keyboard('f')
    const dialog = await screen.findByRole('dialog')
    await user.type(within(dialog).getByRole('combobox'), 'orlo{Enter}')
    await user.click(within(dialog).getByRole('button', { name: 'Forward' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(bridge.inputsOf('channels.direct')).toEqual([{ userIds: ['nadia'] }])
    expect(bridge.inputsOf('messages.send')).toMatchObject([{ cid: OTHER, keepsUnread: true }])
  })

  test('requires a conversation, and shows an error in the dialog', async () => {
    const { user, bridge } = await show()
    bridge.on('messages.send', () => {
      throw { code: 'composer/too-long', params: { count: 3 } } as unknown as Error
    })
    act(() => row('m2').focus())
    await user.keyboard('f')
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: 'Forward' }))
    expect(within(dialog).getByText('Choose a conversation')).toBeTruthy()
    await user.type(within(dialog).getByRole('combobox'), 'des{Enter}')
    await user.click(within(dialog).getByRole('button', { name: 'Forward' }))
    await waitFor(() => expect(within(dialog).getByText(/too long/)).toBeTruthy())
  })
})

describe('copy keys and reactions', () => {
  test('Ctrl C copies the plain text, Ctrl Shift C the source, L the link', async () => {
    const { user } = await show()
    act(() => row('m1').focus())
    await user.keyboard('{Control>}c{/Control}')
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('one'))
    await user.keyboard('{Control>}{Shift>}C{/Shift}{/Control}')
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('**one**'))
    await user.keyboard('l')
    await waitFor(async () =>
      expect(await navigator.clipboard.readText()).toBe('parlor://open/demo/message/messaging:general/m1'),
    )
  })

  test('of two copies in quick succession the last one stays, although the first takes longer to make', async () => {
    await show()
    fireEvent.keyDown(row('m1'), { key: 'c', code: 'KeyC', ctrlKey: true })
    fireEvent.keyDown(row('m1'), { key: 'l', code: 'KeyL' })
    // By then the first text has been made too.
    for (let round = 0; round < 3; round += 1) await act(async () => void (await copyOf(aMessage({}), 'plain')))
    expect(await navigator.clipboard.readText()).toBe('parlor://open/demo/message/messaging:general/m1')
  })

  test('a digit adds a quick reaction', async () => {
    const { user, bridge } = await show()
    act(() => row('m2').focus())
    await user.keyboard('1')
    expect(bridge.inputsOf('messages.toggleReaction')).toEqual([{ messageId: 'm2', type: expect.any(String) }])
  })

  test('a digit reacts with the latest custom emoji by name, and skips one of another workspace', async () => {
    localStorage.setItem('parlor.emoji.recent', '[":elsewhere:", ":parrot:"]')
    const { user, bridge } = await show()
    act(() =>
      bridge.change({ emoji: { parrot: { name: 'parrot', aliases: [], image: 'emoji/parrot.1', moves: false } } }),
    )
    await act(() => Promise.resolve())
    act(() => row('m2').focus())
    await user.keyboard('1')
    expect(bridge.inputsOf('messages.toggleReaction')).toEqual([{ messageId: 'm2', type: 'parrot' }])
    localStorage.removeItem('parlor.emoji.recent')
  })

  test('I shows who reacted and when; focus returns afterwards', async () => {
    const { user } = await show()
    act(() => row('m3').focus())
    await user.keyboard('i')
    const dialog = await screen.findByRole('dialog', { name: 'Message details' })
    expect(within(within(dialog).getByRole('list', { name: 'Reacted with ❤️' })).getByText('Ola')).toBeTruthy()
    expect(within(dialog).getByText('and 11 others')).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(row('m3'))
  })

  test('reactions are one tab stop with arrow navigation', async () => {
    const { user } = await show()
    const group = within(row('m3')).getByRole('group', { name: 'Reactions' })
    const buttons = within(group).getAllByRole('button')
    expect(buttons.map((button) => button.tabIndex)).toEqual([0, -1])
    act(() => buttons[0]?.focus())
    await user.keyboard('{ArrowRight}')
    expect(document.activeElement).toBe(buttons[1])
  })
})

describe('what the user does to a message is announced once', () => {
  test.each([
    ['p', 'Message pinned'],
    ['1', 'Added reaction 👍'],
    ['q', 'Quote added'],
    ['u', 'Marked as unread'],
    ['{Shift>}{Delete}{/Shift}', 'Message deleted'],
  ])('%s: %s', async (key, text) => {
    const { user } = await show()
    dropAnnouncements()
    const texts: string[] = []
    const stop = onAnnouncement((announcement) => texts.push(announcement.text))
    act(() => row(key.includes('Delete') ? 'm1' : 'm2').focus())
    await user.keyboard(key)
    await waitFor(() => expect(texts).toEqual([text]))
    stop()
  })
})

describe('keys that are not meant for a message', () => {
  test('Delete with everything selected deletes nothing and asks nothing', async () => {
    const { user, bridge } = await show()
    act(() => row('m1').focus())
    window.getSelection()?.selectAllChildren(document.body)
    await user.keyboard('{Delete}')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await user.keyboard('{Shift>}{Delete}{/Shift}')
    expect(bridge.inputsOf('messages.delete')).toEqual([])
    window.getSelection()?.removeAllRanges()
  })

  test('without single-letter shortcuts a letter or digit goes to the composer', async () => {
    const { user, bridge, store } = await show()
    act(() => bridge.change({ settings: { self: someSettings({ letterKeys: false }) } }))
    act(() => row('m2').focus())
    await user.keyboard('p1')
    expect(bridge.inputsOf('messages.pin')).toEqual([])
    expect(bridge.inputsOf('messages.toggleReaction')).toEqual([])
    expect(Object.keys(store.getState().composers[CID] ?? {})).toContain('focusRequest')
  })
})
