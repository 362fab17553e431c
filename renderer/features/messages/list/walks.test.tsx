import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
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
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { routeOpened } from '../../../store/window/ui.ts'
import { MessageList } from './MessagePane.tsx'
import type { ListPosition } from './places.ts'
import type { Target } from './list-navigation.ts'
import type { ListView } from './list-view.ts'
import type { Row } from '../model/rows.ts'
import { UnreadPill } from './unread-line.tsx'
import { goToNewest, reactToNewest } from './use-list-keys.ts'

const CID = asCid('messaging:general')
afterEach(cleanup)

const messageAt = (id: string, minutes: number, mentionsOla = false): Message =>
  aMessage({
    id,
    text: `words of ${id}`,
    userId: 'jonas',
    createdAt: at(10, minutes),
    ...(mentionsOla ? { mentionedUserIds: [asUserId('ola')] } : {}),
  })

async function show(messages: readonly Message[], channel: Parameters<typeof aChannel>[0] = {}, hasNext = false) {
  const bridge = addLittleEngine(
    createFakeBridge({
      rows: {
        users: byId([aUser({ id: 'ola', name: 'Ola' }), aUser({ id: 'jonas', name: 'Jonas' })]),
        channels: byCid([aChannel(channel)]),
        messages: byId(messages),
        session: { self: aSession() },
      },
      windows: [
        aWindow(
          `timeline:${CID}`,
          messages.map(({ id }) => id),
          { hasNext },
        ),
      ],
    }),
  )
  const { store } = await renderInApp(<MessageList cid={CID} />, bridge)
  act(() => void store.dispatch(routeOpened({ view: 'channel', cid: CID })))
  await waitFor(() => expect(bridge.inputsOf('channels.open')).not.toEqual([]))
  await act(() => Promise.resolve())
  return { bridge, store, user: userEvent.setup() }
}

const focusRow = (id: string): void =>
  act(() => document.querySelector<HTMLElement>(`[data-message-id="${id}"]`)?.focus())
const focused = (): string | undefined => (document.activeElement as HTMLElement | null)?.dataset['messageId']

test('N and Shift N move to the next and previous mention, and stay if there is none', async () => {
  const { user } = await show([messageAt('a', 0, true), messageAt('b', 1), messageAt('c', 2, true), messageAt('d', 3)])
  focusRow('d')
  await user.keyboard('{Shift>}N{/Shift}')
  expect(focused()).toBe('c')
  await user.keyboard('{Shift>}N{/Shift}')
  expect(focused()).toBe('a')
  await user.keyboard('{Shift>}N{/Shift}')
  expect(focused()).toBe('a')
  await user.keyboard('n')
  expect(focused()).toBe('c')
})

test('the next mention is requested if none is loaded, and a notice says if there is none', async () => {
  const { bridge, store, user } = await show([messageAt('a', 0), messageAt('b', 1)])
  const answers = [
    { id: 'a', isWhole: true },
    { id: null, isWhole: true },
    { id: null, isWhole: false },
  ]
  bridge.on('messages.nearestMention', () => answers.shift())
  focusRow('b')
  await user.keyboard('{Shift>}N{/Shift}')
  await waitFor(() => expect(focused()).toBe('a'))
  expect(bridge.inputsOf('messages.nearestMention')).toEqual([{ cid: CID, messageId: 'b', direction: 'older' }])
  await user.keyboard('n')
  await user.keyboard('{Shift>}N{/Shift}')
  await waitFor(() =>
    expect(store.getState().notices.local.map(({ code }) => code)).toEqual([
      'mention/none-newer',
      'mention/none-older-held',
    ]),
  )
  expect(focused()).toBe('a')
})

test('Shift Page Up jumps to the oldest unread message', async () => {
  const { user } = await show([messageAt('a', 0), messageAt('b', 1), messageAt('c', 2)], {
    unread: 2,
    firstUnreadId: asMessageId('b'),
  })
  focusRow('c')
  await user.keyboard('{Shift>}{PageUp}{/Shift}')
  await waitFor(() => expect(focused()).toBe('b'))
})

test('the newest message is focused once it is loaded', async () => {
  const { bridge, store } = await show([messageAt('a', 0), messageAt('b', 1)], {}, true)
  const before = bridge.inputsOf('channels.open').length
  bridge.on('channels.open', () => null)
  act(() => goToNewest(store))
  expect(bridge.inputsOf('channels.open').slice(before)).toEqual([{ cid: CID }])
  await act(async () => {
    bridge.change({ messages: byId([messageAt('z', 30)]) }, [aWindow(`timeline:${CID}`, ['a', 'b', 'z'])])
    await Promise.resolve()
  })
  await waitFor(() => expect(focused()).toBe('z'))
})

test('the reaction picker opens on the newest message of the open conversation', async () => {
  const { store, user } = await show([messageAt('a', 0), messageAt('b', 1)])
  act(() => reactToNewest(store))
  expect(await screen.findByRole('region', { name: 'Emoji' })).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(focused()).toBe('b')
})

test('the pill at the top shows how many messages are new and since when, jumps to the unread line, and then back', async () => {
  const bridge = addLittleEngine(
    createFakeBridge({
      rows: {
        channels: byCid([aChannel({ cid: CID, unread: 2 })]),
        messages: byId([messageAt('b', 36)]),
        session: { self: aSession() },
      },
    }),
  )
  const listPosition: ListPosition = { position: { key: 'c', offset: 7 }, near: asMessageId('c'), at: at(10, 40) }
  const targets: Target[] = []
  const view: Pick<ListView, 'followTopRow' | 'topRow'> = { followTopRow: () => () => undefined, topRow: () => 'c' }
  const rows = ['unread', 'b', 'c'].map((key) =>
    key === 'unread' ? ({ kind: 'unread', key } as Row) : ({ kind: 'message', key, id: key } as Row),
  )
  await renderInApp(
    <UnreadPill
      cid={CID}
      unread={{ id: asMessageId('b'), count: 2 }}
      rows={rows}
      view={view as ListView}
      controls={{ currentPosition: () => listPosition, go: (target) => void targets.push(target) }}
    />,
    bridge,
  )
  await userEvent.click(screen.getByRole('button', { name: /^2 new since .*10:36/ }))
  expect(targets).toEqual([{ kind: 'unread', id: 'b' }])
  expect(screen.queryByRole('button', { name: 'Mark as read' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Back to where you were' }))
  expect(targets.at(-1)).toEqual({ kind: 'back', ...listPosition })
  await userEvent.click(screen.getByRole('button', { name: 'Mark as read' }))
  expect(bridge.inputsOf('channels.markManyRead')).toEqual([{ cids: [CID] }])
})
