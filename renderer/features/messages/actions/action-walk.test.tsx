import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import {
  aChannel,
  addLittleEngine,
  aMessage,
  anAttachment,
  aSession,
  at,
  aUser,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
  MEMBER_CAPABILITIES,
  type FakeBridge,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import texts from '../../../../resources/locales/en/messages.json' with { type: 'json' }
import type { AppState } from '../../../store/store.ts'
import { ACTIONS, type ActionId } from './actions.ts'
import { MessageList } from '../list/MessagePane.tsx'

const CID = asCid('messaging:general')
const MINE = aMessage({ id: 'mine', userId: 'ola', text: '**my** words', createdAt: at(10, 1) })
const MESSAGES = [
  MINE,
  aMessage({
    id: 'theirs',
    userId: 'jonas',
    text: 'see https://example.org/a',
    attachments: [anAttachment({ title: 'a.png', width: 100, height: 80 })],
    createdAt: at(10, 10),
  }),
  aMessage({ id: 'pinned', userId: 'jonas', text: 'kept', pinned: true, createdAt: at(10, 20) }),
  aMessage({ id: 'reply', userId: 'ola', text: 'kept to the thread', parentId: 'mine', createdAt: at(10, 25) }),
  aMessage({
    id: 'failed',
    userId: 'ola',
    text: 'lost',
    status: 'failed',
    failure: { code: 'network/offline', retryable: true },
    createdAt: at(10, 30),
  }),
]

afterEach(cleanup)

async function show() {
  // Creates the test clipboard; must run before anything writes to it.
  const user = userEvent.setup()
  const bridge = addLittleEngine(
    createFakeBridge({
      rows: {
        users: byId([aUser({ id: 'ola', name: 'Ola' }), aUser({ id: 'jonas', name: 'Jonas' })]),
        channels: byCid([aChannel({ capabilities: [...MEMBER_CAPABILITIES, 'flag-message'] })]),
        messages: byId(MESSAGES),
        session: { self: aSession() },
      },
      windows: [
        aWindow(
          `timeline:${CID}`,
          MESSAGES.map(({ id }) => id),
        ),
      ],
    }),
  )
  const { store } = await renderInApp(<MessageList cid={CID} />, bridge)
  await waitFor(() => expect(bridge.inputsOf('channels.open')).not.toEqual([]))
  await act(() => Promise.resolve())
  return { user, bridge, state: () => store.getState() }
}

const row = (id: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-message-id="${id}"]`)
  if (found === null) throw new Error(`no row ${id}`)
  return found
}

type World = { readonly bridge: FakeBridge; readonly state: () => AppState }
type Walk = {
  /** The message the action runs on. */
  readonly on: 'mine' | 'theirs' | 'pinned' | 'reply' | 'failed'
  readonly done: (world: World) => unknown
}

const called =
  (name: string, input: unknown) =>
  ({ bridge }: World) =>
    expect(bridge.inputsOf(name)).toContainEqual(input)
const copied = (text: string | RegExp) => async () => expect(await navigator.clipboard.readText()).toMatch(text)

/** How to see that each action of the registry was performed. */
const WALKS: Readonly<Record<ActionId, Walk>> = {
  quote: { on: 'theirs', done: ({ state }) => expect(state().composers[CID]?.quotedId).toBe('theirs') },
  thread: { on: 'theirs', done: ({ state }) => expect(state().ui.panel).toMatchObject({ parentId: 'theirs' }) },
  react: { on: 'theirs', done: () => screen.findByRole('searchbox') },
  edit: { on: 'mine', done: ({ state }) => expect(state().composers[CID]?.editing?.messageId).toBe('mine') },
  forward: { on: 'theirs', done: ({ state }) => expect(state().overlays.forward).toEqual(['theirs']) },
  also: { on: 'reply', done: called('messages.alsoInChannel', { messageId: 'reply' }) },
  pin: { on: 'theirs', done: called('messages.pin', { messageId: 'theirs', pinned: true }) },
  unpin: { on: 'pinned', done: called('messages.pin', { messageId: 'pinned', pinned: false }) },
  unread: { on: 'theirs', done: called('channels.markUnread', { cid: CID, messageId: 'theirs' }) },
  save: { on: 'theirs', done: called('reminders.set', { messageId: 'theirs' }) },
  remind: { on: 'theirs', done: () => screen.findByRole('menu') },
  select: { on: 'theirs', done: () => screen.getByText('1 selected') },
  copy: { on: 'mine', done: copied(/^my words$/) },
  markdown: { on: 'mine', done: copied(/^\*\*my\*\* words$/) },
  picture: { on: 'theirs', done: called('data.fileBytes', { messageId: 'theirs', index: 0, start: 0, length: 1 }) },
  link: { on: 'theirs', done: copied(/theirs/) },
  details: { on: 'theirs', done: () => screen.getByRole('dialog', { name: 'Message details' }) },
  profile: {
    on: 'theirs',
    done: ({ state }) => expect(state().ui.dialog).toEqual({ kind: 'person', userId: 'jonas' }),
  },
  why: {
    on: 'theirs',
    done: ({ state }) => expect(state().ui.dialog).toEqual({ kind: 'why-notified', cid: CID, messageId: 'theirs' }),
  },
  open: { on: 'theirs', done: called('app.openExternal', { url: 'https://example.org/a' }) },
  viewer: { on: 'theirs', done: ({ state }) => expect(state().overlays.viewer?.messageId).toBe('theirs') },
  report: {
    on: 'theirs',
    done: ({ state }) => expect(state().ui.dialog).toEqual({ kind: 'report', target: { messageId: 'theirs' } }),
  },
  retry: { on: 'failed', done: called('outbox.retry', { id: 'failed' }) },
  delete: { on: 'mine', done: () => screen.getByRole('alertdialog', { name: 'Delete this message?' }) },
}
const ALL = Object.keys(WALKS) as ActionId[]

/** A chord as user-event key codes. */
const keysOf = (chord: string): string =>
  chord
    .replace('Mod+Shift+C', '{Control>}{Shift>}C{/Shift}{/Control}')
    .replace('Mod+C', '{Control>}c{/Control}')
    .replace(/^[A-Z]$/, (letter) => letter.toLowerCase())
    .replace('Delete', '{Delete}')

const labels = texts.actions as Readonly<Record<string, string>>
const labelOf = (id: ActionId): string => labels[`${id}Menu`] ?? labels[id] ?? id

describe('every action of the registry', () => {
  test('is covered here', () => {
    expect([...ALL].toSorted()).toEqual(Object.keys(ACTIONS).toSorted())
  })

  test.each(ALL.filter((id) => ACTIONS[id].chord !== undefined))('%s runs by its key', async (id) => {
    const { on, done } = WALKS[id]
    const { user, ...world } = await show()
    act(() => row(on).focus())
    await user.keyboard(keysOf(ACTIONS[id].chord ?? ''))
    expect(await waitFor(() => done(world)).then(() => 'done')).toBe('done')
  })

  test.each(ALL)('%s runs from the menu opened by key', async (id) => {
    const { on, done } = WALKS[id]
    const { user, ...world } = await show()
    act(() => row(on).focus())
    await user.keyboard('{Enter}')
    const find = (menu: string) =>
      within(screen.getByRole('menu', { name: menu }))
        .getAllByRole('menuitem')
        // An item's text content includes its keycap; a reaction has a label alone.
        .find((item) => (item.getAttribute('aria-label') ?? item.textContent).startsWith(labelOf(id)))
    let item = find('Message actions')
    if (item === undefined) {
      await user.click(screen.getByRole('menuitem', { name: 'More' }))
      item = find('More')
    }
    expect(item).toBeDefined()
    if (item !== undefined) await user.click(item)
    await waitFor(() => done(world))
  })
})

test('with Shift a message is deleted without a question, and can still be undone', async () => {
  const { user, bridge } = await show()
  act(() => row('mine').focus())
  await user.keyboard('{Shift>}{Delete}{/Shift}')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(bridge.inputsOf('messages.delete')).toEqual([{ messageId: 'mine', undoForMs: 8_000 }])
  act(() => row('theirs').focus())
  await user.keyboard('{Shift>}{Delete}{/Shift}')
  expect(bridge.inputsOf('messages.delete')).toHaveLength(1)
})

test('the same key removes a saved message without a reminder', async () => {
  const { user, bridge } = await show()
  const saved = { messageId: asMessageId('theirs'), cid: CID, pending: false, createdAt: 1, updatedAt: 1 }
  act(() => bridge.change({ reminders: { theirs: saved } }))
  await act(() => Promise.resolve())
  act(() => row('theirs').focus())
  await user.keyboard('a')
  expect(bridge.inputsOf('reminders.remove')).toEqual([{ messageId: 'theirs' }])
})
