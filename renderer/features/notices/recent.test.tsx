import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { addLittleEngine, aMessage, cairnMaps, createFakeBridge, type FakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { registry } from '../../app/features.ts'
import { useKeyboard } from '../../app/keys/keyboard.ts'
import type { Command } from '../../store/command.ts'
import { undoLast } from '../../store/window/recent.ts'
import { hideChannel, leaveChannel, removeMember } from '../channel/commands.ts'
import { markUnread, pinMessage, saveMessage, unsaveMessage } from '../messages/actions/commands.ts'
import { toggleReaction } from '../messages/reactions/Reactions.tsx'
import { MuteDialog } from '../people/profile/MuteDialog.tsx'
import { blockPerson, unmutePerson } from '../people/profile/commands.ts'
import { archiveChannel, markChannelRead, muteChannel, pinChannel, showChannel } from '../sidebar/commands.ts'
import { NoticeRegion } from './index.ts'
import { RecentActions } from './NoticeCard.tsx'

afterEach(cleanup)

const cid = asCid('messaging:design-crit')
const userId = asUserId('jonas')
const messageId = asMessageId('m1')
const settled = () => act(() => new Promise((resolve) => void setTimeout(resolve, 0)))

function Page() {
  useKeyboard()
  return (
    <>
      <button type="button">outside</button>
      <textarea aria-label="text" defaultValue="typed" />
      <NoticeRegion />
      <RecentActions />
    </>
  )
}

async function show(bridge: FakeBridge = addLittleEngine(createFakeBridge(cairnMaps()))) {
  const view = await renderInApp(<Page />, bridge, 'en', registry)
  const undo = async (target: HTMLElement = screen.getByText('outside')) => {
    fireEvent.keyDown(target, { key: 'z', code: 'KeyZ', ctrlKey: true })
    await settled()
  }
  return { bridge, undo, ...view }
}
const entries = () => within(screen.getByRole('dialog')).queryAllByRole('listitem')

test('Ctrl+Z outside text fields undoes the last action and says what it was', async () => {
  const { bridge, store, undo } = await show()
  await act(async () => store.dispatch(pinChannel({ cid, pinned: true })))
  await act(async () => store.dispatch(archiveChannel({ cid, archived: true })))
  await undo(screen.getByLabelText('text'))
  expect(bridge.inputsOf('channels.archive')).toHaveLength(1)
  await undo()
  expect(bridge.inputsOf('channels.archive')).toEqual([
    { cid, archived: true },
    { cid, archived: false },
  ])
  expect(screen.getAllByRole('group').some((each) => each.textContent === 'UndoneArchived design-crit.')).toBe(true)
  await undo()
  expect(bridge.inputsOf('channels.pin').at(-1)).toEqual({ cid, pinned: false })
  await undo()
  expect(screen.getByText('There’s nothing to undo.')).toBeTruthy()
})

test('the list has the last twenty, newest first, with one press each', async () => {
  const { bridge, store } = await show()
  for (let at = 0; at < 21; at++) {
    await act(async () => store.dispatch(muteChannel({ cid, muted: at % 2 === 0 })))
  }
  expect(entries()).toHaveLength(20)
  expect(entries()[0]?.textContent).toContain('Muted design-crit.')
  screen.getAllByRole('button', { name: 'Undo: Unmuted design-crit.' })[0]?.click()
  await settled()
  expect(bridge.inputsOf('channels.mute').at(-1)).toEqual({ cid, muted: true })
  expect(entries()[1]?.textContent).toContain('Undone')
  expect(entries()[1]?.contains(document.activeElement)).toBe(true)
})

test('what the server refuses stays in the list with the reason, and can be tried again', async () => {
  const { bridge, store, undo } = await show()
  await act(async () => store.dispatch(leaveChannel({ cid })))
  bridge.on('channels.join', () => {
    throw { code: 'server/not-allowed' } as unknown as Error
  })
  await undo()
  const reason = 'You don’t have permission to do this. Ask an owner or moderator.'
  expect(within(screen.getByRole('dialog')).getByText(reason)).toBeTruthy()
  expect(screen.getAllByRole('group').some((each) => each.textContent?.startsWith('Couldn’t undo'))).toBe(true)
  bridge.on('channels.join', () => undefined)
  fireEvent.click(screen.getByRole('button', { name: 'Undo: You left design-crit.' }))
  await settled()
  expect(entries()[0]?.textContent).toContain('Undone')
})

test('a failed action is not listed', async () => {
  const { bridge, store } = await show()
  bridge.on('channels.archive', () => {
    throw { code: 'network/offline' } as unknown as Error
  })
  await act(async () => store.dispatch(archiveChannel({ cid, archived: true })))
  expect(entries()).toHaveLength(0)
})

test('a reaction that was taken back by hand is not added again', async () => {
  const { bridge, store } = await show()
  const message = Object.values(bridge.world.rows.messages ?? {}).find(({ reactions }) =>
    reactions.some(({ own }) => own),
  )
  const type = message?.reactions.find(({ own }) => own)?.type ?? ''
  const id = asMessageId(message?.id ?? '')
  bridge.on('messages.toggleReaction', () => undefined)
  await act(async () => store.dispatch(toggleReaction({ messageId: id, type })))
  // Nothing changed in the rows, as if it had been added again elsewhere.
  await act(async () => store.dispatch(undoLast()))
  expect(bridge.inputsOf('messages.toggleReaction')).toHaveLength(1)
  expect(
    screen.getByText('This has changed since then, so there’s nothing left to undo.', {
      selector: '[role=dialog] *, dialog *',
    }),
  ).toBeTruthy()
})

type Case = readonly [name: string, run: Command<unknown>, call: Parameters<FakeBridge['on']>[0], inverse: unknown]
const CASES: readonly Case[] = [
  ['muting a channel', muteChannel({ cid, muted: true }), 'channels.mute', { cid, muted: false }],
  [
    'unmuting a channel',
    muteChannel({ cid: asCid('messaging:random'), muted: false }),
    'channels.mute',
    { cid: 'messaging:random', muted: true },
  ],
  ['unmuting a person', unmutePerson({ userId }), 'people.mute', { userId, muted: false }],
  ['blocking a person', blockPerson({ userId, blocked: true }), 'people.block', { userId, blocked: false }],
  ['unarchiving', archiveChannel({ cid, archived: false }), 'channels.archive', { cid, archived: true }],
  ['hiding', hideChannel({ cid, clearHistory: false }), 'channels.hide', { cid, hidden: false }],
  ['showing', showChannel({ cid }), 'channels.hide', { cid, hidden: true }],
  ['leaving', leaveChannel({ cid }), 'channels.join', { cid }],
  ['marking as read', markChannelRead({ cid }), 'channels.undoRead', { cids: [cid] }],
  ['marking as unread', markUnread({ cid, messageId }), 'channels.markRead', { cid }],
  ['removing a member', removeMember({ cid, userId }), 'channels.addMembers', { cid, userIds: [userId] }],
  ['pinning a message', pinMessage({ messageId, pinned: true }), 'messages.pin', { messageId, pinned: false }],
  ['saving a message', saveMessage({ messageId }), 'reminders.remove', { messageId }],
  ['removing a saved message', unsaveMessage({ messageId }), 'reminders.set', { messageId }],
  ['reacting', toggleReaction({ messageId, type: 'like' }), 'messages.toggleReaction', { messageId, type: 'like' }],
]

test.each(CASES)('%s is undone by its opposite', async (_name, run, call, inverse) => {
  const bridge = createFakeBridge(cairnMaps())
  const { store } = await show(bridge)
  for (const name of ['channels.mute', 'people.mute', 'people.block', 'channels.archive', 'channels.hide'] as const)
    bridge.on(name, () => undefined)
  bridge.on('channels.markManyRead', () => 1)
  bridge.on('channels.undoRead', () => 1)
  const before = bridge.world.rows.messages?.[messageId]
  bridge.on('messages.toggleReaction', () => {
    if (before !== undefined) {
      const like = { type: 'like', count: 1, own: true, score: 1, recentUserIds: [] }
      bridge.change({ messages: { [messageId]: { ...before, reactions: [like] as never } } })
    }
  })
  await act(async () => store.dispatch(run))
  await settled()
  await act(async () => store.dispatch(undoLast()))
  expect(bridge.inputsOf(call).at(-1)).toEqual(inverse)
})

test('a reaction that was taken back is added again', async () => {
  const bridge = createFakeBridge(cairnMaps())
  const { store } = await show(bridge)
  const before = aMessage({ id: 'm1', cid, userId: 'jonas' })
  const like = { type: 'like', count: 1, own: true, sumScores: 1, firstAt: 1, lastAt: 1, userIds: [] }
  const has = (...reactions: (typeof like)[]) =>
    act(() => bridge.change({ messages: { [messageId]: { ...before, reactions } } }))
  has(like)
  bridge.on('messages.toggleReaction', () => undefined)
  await act(async () => store.dispatch(toggleReaction({ messageId, type: 'like' })))
  has()
  await act(async () => store.dispatch(undoLast()))
  expect(bridge.inputsOf('messages.toggleReaction')).toHaveLength(2)
})

test.each([
  [{ cid }, 'channels.mute', { cid, muted: false }],
  [{ userId }, 'people.mute', { userId, muted: false }],
] as const)('a mute that was chosen in the dialog can be undone: %o', async (target, call, inverse) => {
  const bridge = createFakeBridge(cairnMaps())
  const { store } = await renderInApp(<MuteDialog target={target} />, bridge)
  fireEvent.click(screen.getByRole('button', { name: 'Mute' }))
  await settled()
  await act(async () => store.dispatch(undoLast()))
  expect(bridge.inputsOf(call).at(-1)).toEqual(inverse)
})
