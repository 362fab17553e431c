import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addLittleEngine, aSession, cairnMaps, createFakeBridge, type Rows } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import type { AccountEntry } from '#shared/domain/session.ts'
import { NOTHING_NEWER } from '#shared/domain/desktop/desktop.ts'
import type { Message, Reminder } from '#shared/domain/message.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { UNFOLDED } from '../features/attachments/index.ts'
import { attachFiles } from '../features/composer/files/staging.ts'
import { placeOf } from '../features/composer/selectors.ts'
import { sendComposition } from '../features/composer/send/commands.ts'
import { RECENT_EMOJI } from '../features/emoji/emoji-list.ts'
import { PLACES } from '../features/messages/list/places.ts'
import { ACKNOWLEDGED } from '../features/reminders/ReminderToasts.tsx'
import { typed } from '../store/composers/composers.ts'
import { COMPOSER_FILES } from '../store/composers/files.ts'
import type { AppStore } from '../store/store.ts'
import { noticeRaised } from '../store/window/notices.ts'
import { updatesAnnounced } from '../store/window/host.ts'
import {
  accountSwitchStarted,
  leftUi,
  panelOpened,
  routeOpened,
  searchOpened,
  timelineMoved,
} from '../store/window/ui.ts'
import { mentionsFiltered, threadsFiltered } from '../store/window/views.ts'
import { App } from './App.tsx'
import { registry } from './features.ts'

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('innerWidth', 1_280)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const CID = asCid('messaging:release-4-2')
const OTHER_CID = asCid('team:map-data')

const anAccount = (key: string): AccountEntry => ({
  key,
  kind: 'hosted',
  name: key,
  workspaceName: key,
  userId: asUserId('ola'),
  userName: 'Ola',
  hue: 1,
  muted: false,
  unread: 0,
  mentions: 0,
  connection: 'connected',
  link: key,
})

const ACCOUNTS = [anAccount('home'), anAccount('work')]

/** The same server for both accounts: channels and messages have the same ids; every text names its account. */
function worldOf(account: string) {
  const { rows, windows } = cairnMaps()
  const textOf = (message: Message): Message => ({ ...message, text: `${account} ${message.text}` })
  const messages = Object.entries(rows.messages ?? {}).map(([id, message]) => [id, textOf(message)])
  const session = aSession({
    account,
    workspace: { kind: 'hosted', name: account, demo: false, url: 'https://chat.example' },
  })
  return {
    rows: {
      ...rows,
      messages: Object.fromEntries(messages) as Record<string, Message>,
      drafts: {},
      draftRevisions: {},
      session: { self: session },
      accounts: { self: { accounts: ACCOUNTS, shown: account } },
    },
    windows,
  }
}

async function openWindow() {
  const bridge = addLittleEngine(createFakeBridge(worldOf('home')))
  bridge.on('details.members', () => ({ entries: [], total: 0, hasMore: false }))
  const saved = new Map<string, NonNullable<Rows['drafts']>>()
  bridge.on('session.show', ({ key }: { key: string }) => {
    saved.set(bridge.world.rows.session?.['self']?.account ?? '', bridge.world.rows.drafts ?? {})
    const next = worldOf(key)
    bridge.world.rows = { ...next.rows, drafts: saved.get(key) ?? {} }
    bridge.world.windows = Object.fromEntries(next.windows.map((window) => [window.key, window]))
    bridge.reset()
  })
  const { store } = await renderInApp(<App />, bridge, 'en', registry)
  await screen.findByRole('textbox', { name: /^Message/ })
  const show = async (key: string): Promise<void> => {
    await act(async () => void store.dispatch(accountSwitchStarted({ key })))
    await waitFor(() => expect(store.getState().entities.session['self']?.account).toBe(key))
    await screen.findAllByRole('textbox')
  }
  return { bridge, store, show }
}

/** Uses everything that a window remembers, each with the name of the account. */
async function use({ dispatch, objects }: AppStore, account: string, emoji: string): Promise<void> {
  const reminder: Reminder = {
    messageId: asMessageId(`${account}-reminder`),
    cid: CID,
    remindAt: 5,
    pending: false,
    createdAt: 1,
    updatedAt: 1,
  }
  await act(async () => {
    dispatch(searchOpened({ text: `${account} query` }))
    dispatch(routeOpened({ view: 'channel', cid: CID }))
    dispatch(panelOpened({ kind: account === 'home' ? 'pinned' : 'members', cid: CID }))
    dispatch(typed({ key: OTHER_CID, text: `${account} draft`, caret: 3 }))
    dispatch(mentionsFiltered({ kind: 'replies', text: `${account} filter` }))
    dispatch(threadsFiltered(account === 'home' ? 'all' : 'mine'))
    dispatch(timelineMoved({ cid: CID, atBottom: true }))
    dispatch(noticeRaised({ id: `${account}-notice`, code: 'internal', type: 'x', severity: 'info', createdAt: 1 }))
  })
  objects.of(PLACES).leave(`timeline:${OTHER_CID}`, {
    listPosition: { position: { key: `${account}-row`, offset: 7 }, at: 1 },
    leftAt: Date.now(),
    newestAt: 0,
  })
  objects.of(COMPOSER_FILES).setLeftOver(OTHER_CID, [new File(['x'], `${account}.txt`)])
  objects.of(UNFOLDED).set(`${account}-media`, true)
  objects.of(ACKNOWLEDGED).add([reminder])
  objects.of(RECENT_EMOJI).add(emoji)
}

/** What a window remembers of the account on screen. */
const remembered = ({ objects, ...store }: AppStore) => ({
  ui: leftUi(store.getState().ui),
  views: store.getState().views,
  place: objects.of(PLACES).leftAt(`timeline:${OTHER_CID}`, Date.now())?.listPosition,
  files: objects
    .of(COMPOSER_FILES)
    .leftOver(OTHER_CID)
    .map(({ name }) => name),
  unfolded: ['home-media', 'work-media'].filter((ref) => objects.of(UNFOLDED).has(ref)),
  acknowledged: objects.of(ACKNOWLEDGED).times(),
  emoji: objects.of(RECENT_EMOJI).list(),
})

test('a window that went to another account of the same server and back is as it was, with nothing of the other', async () => {
  const { store, show } = await openWindow()
  const fresh = remembered(store)
  await use(store, 'home', '🥾')
  const before = remembered(store)
  const homeObjects = new Map(store.objects.createdFor('home'))
  await show('work')
  // Only the number of a place in the history continues.
  const { placeId: _place, lastPlaceId: _last, ...ui } = fresh.ui
  const now = remembered(store)
  expect(now).toMatchObject({ ...fresh, ui: { ...ui, back: [], forward: [] } })
  expect(now.ui).toMatchObject({ panel: undefined, search: undefined })
  expect(document.body.innerHTML).not.toContain('home ')
  const { left: _left, entities: _entities, ...shown } = store.getState()
  expect(JSON.stringify(shown)).not.toContain('home')
  for (const [kind, object] of store.objects.createdFor('work')) expect(homeObjects.get(kind)).not.toBe(object)

  await use(store, 'work', '🎈')
  await show('home')
  expect(remembered(store)).toEqual(before)
  expect(document.body.innerHTML).not.toContain('work ')
  const { left: _work, entities: _rows, ...back } = store.getState()
  expect(JSON.stringify(back)).not.toMatch(/\bwork\b/)
  for (const [kind, object] of homeObjects) expect(store.objects.createdFor('home').get(kind)).toBe(object)

  await show('work')
  expect(remembered(store).views.mentions.text).toBe('work filter')
  expect(remembered(store).emoji[0]).toBe('🎈')
})

test('what is of the window stays when the account changes', async () => {
  const { store, show } = await openWindow()
  act(() => void store.dispatch(updatesAnnounced({ ...NOTHING_NEWER, announced: true })))
  const { updates, language } = store.getState()
  await show('work')
  expect(store.getState().updates).toEqual(updates)
  expect(store.getState().language).toEqual(language)
})

test('a message with a file that is still copied is sent by its own account, before the switch', async () => {
  const { bridge, store } = await openWindow()
  const copied = Promise.withResolvers<void>()
  bridge.on('uploads.begin', () => ({ id: 'u1', name: 'a.txt', state: 'pending' }))
  bridge.on('uploads.chunk', () => copied.promise)
  const place = placeOf(CID, undefined)
  await act(async () => {
    void store.dispatch(attachFiles(place, [new File(['bytes'], 'a.txt')]))
    await waitFor(() => expect(bridge.inputsOf('uploads.chunk')).toHaveLength(1))
    void store.dispatch(sendComposition(place, { mentionedUserIds: [], broadcasts: [] }, {}))
    store.dispatch(accountSwitchStarted({ key: 'work' }))
  })
  await act(async () => {})
  expect(bridge.inputsOf('session.show')).toEqual([])
  await act(async () => copied.resolve())
  await waitFor(() => expect(bridge.inputsOf('session.show')).toEqual([{ key: 'work' }]))
  const names = bridge.calls.map(({ name }) => name)
  expect(names.indexOf('uploads.finish')).toBeLessThan(names.indexOf('session.show'))
  expect(names.indexOf('messages.send')).toBeGreaterThan(0)
  expect(names.indexOf('messages.send')).toBeLessThan(names.indexOf('session.show'))
  await waitFor(() => expect(store.getState().entities.session['self']?.account).toBe('work'))
  expect(store.getState().composers[CID]?.failure).toBeUndefined()
})

test('an account that leaves the profile leaves nothing in the window', async () => {
  const { bridge, store, show } = await openWindow()
  await use(store, 'home', '🥾')
  await show('work')
  await act(async () => bridge.change({ accounts: { self: { accounts: [anAccount('work')], shown: 'work' } } }))
  await waitFor(() => expect(store.objects.createdFor('home').size).toBe(0))
})
