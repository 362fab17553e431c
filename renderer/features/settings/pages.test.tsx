import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { AppError } from '#shared/lib/app-error.ts'
import {
  aConnection,
  aSession,
  aUser,
  byId,
  createFakeBridge,
  someSettings,
  type FakeBridge,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import type { UpdateState } from '#shared/domain/desktop/desktop.ts'
import { keepSpeed, readSpeed } from '../../lib/page/speed.ts'
import { createRegistry } from '../../registry/feature.ts'
import { useAppSelector } from '../../store/hooks.ts'
import type { SettingsSection } from '../../store/window/kinds.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { updatesAnnounced } from '../../store/window/host.ts'
import { DownloadsDialog } from '../attachments/downloads/DownloadsDialog.tsx'
import { UpdateNotice } from '../updates/index.ts'
import { settingsFeature } from './feature.tsx'
import { SettingsNav } from './index.ts'
import { SettingsView } from './Settings.tsx'

const registry = createRegistry([settingsFeature])

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const FIGURES: Diagnostics = {
  at: 1_000_000,
  connection: {
    state: 'healthy',
    offline: false,
    transport: 'websocket',
    caughtUp: true,
    watchedChannels: 3,
    malformedFrames: 0,
  },
  transitions: [{ at: 940_000, state: 'healthy', transport: 'websocket' }],
  calls: [{ operation: 'QueryChannels', answered: 4, failed: 1, p50Ms: 12.4, p95Ms: 30, lastAt: 880_000 }],
  failures: [{ name: 'call/offline', count: 7, lastAt: 700_000, lastCode: 'network/offline' }],
  queue: { byState: { staged: 2 }, byKind: { 'send-message': 2 }, oldestAt: 500_000, stagedBytes: 0 },
  clockOffsetMs: -250,
}

function aBridge(over: Partial<Settings> = {}): FakeBridge {
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      settings: { self: someSettings(over) },
      connection: { self: aConnection() },
    },
    windows: [],
  })
  bridge.on('settings.update', (changes: Partial<Settings>) => {
    const self = bridge.world.rows.settings?.['self']
    if (self) bridge.change({ settings: { self: { ...self, ...changes } } })
  })
  bridge.on('locations.live', () => [])
  bridge.on('people.blocked', () => [])
  bridge.on('app.diagnostics', () => FIGURES)
  bridge.on('certificates.list', () => [])
  bridge.on('certificates.own', () => ({}))
  bridge.on('search.storage', () => ({ usedBytes: 0, messages: 0 }))
  return bridge
}

function Both() {
  const route = useAppSelector(({ ui }) => ui.route)
  if (route.view !== 'settings') return null
  return (
    <>
      <UpdateNotice />
      <SettingsNav section={route.section} onBack={() => {}} />
      <SettingsView section={route.section} {...(route.row === undefined ? {} : { row: route.row })} />
    </>
  )
}

async function open(section: SettingsSection, bridge = aBridge()) {
  const { store } = await renderInApp(<Both />, bridge, 'en', registry)
  store.dispatch(routeOpened({ view: 'settings', section }))
  await screen.findByRole('heading', { level: 1 })
  const updates = (state: UpdateState): void => act(() => void store.dispatch(updatesAnnounced(state)))
  return { bridge, store, updates, user: userEvent.setup(), settings: () => bridge.world.rows.settings?.['self'] }
}

test('there are ten pages, and About is a link in the foot', async () => {
  const { user } = await open('account')
  const pages = within(await screen.findByRole('navigation')).getByRole('list')
  expect(
    within(pages)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Account',
    'Notifications',
    'Appearance',
    'Messages',
    'Language and region',
    'Privacy and security',
    'Accessibility',
    'Keyboard',
    'App and system',
    'Advanced',
  ])
  await user.click(screen.getByRole('link', { name: 'About Parlor' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'About Parlor' })).toBeTruthy()
})

test('a link to a page that does not exist shows the first one', async () => {
  await open('nowhere' as SettingsSection)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Account')
})

test('what is rare is closed at the end of its page; a search result in it opens it', async () => {
  const { user } = await open('messages')
  const more = (await screen.findByText(/^More: /)).closest('details')
  expect(more?.open).toBe(false)
  await user.type(screen.getByRole('searchbox', { name: 'Find a setting' }), 'arrow edits{Enter}')
  await waitFor(() => expect(more?.open).toBe(true))
  expect(more?.contains(document.activeElement)).toBe(true)
})

test('in one column an arrow goes from a page to the list of pages', async () => {
  let returns = 0
  await renderInApp(<SettingsView section="messages" onBack={() => (returns += 1)} />, aBridge(), 'en', registry)
  await userEvent.click(await screen.findByRole('button', { name: 'Back' }))
  expect(returns).toBe(1)
})

test('blocked people are listed and can be unblocked', async () => {
  const bridge = aBridge()
  bridge.on('people.blocked', () => [
    { id: asUserId('jonas'), name: 'Jonas Weber' },
    { id: asUserId('ewa'), name: 'Ewa' },
  ])
  const { user } = await open('privacy', bridge)
  await user.click(await screen.findByRole('button', { name: 'Unblock Jonas Weber' }))
  await waitFor(() => expect(screen.queryByText('Jonas Weber')).toBeNull())
  expect(bridge.inputsOf('people.block')).toEqual([{ userId: 'jonas', blocked: false }])
  expect(screen.getByText('Ewa')).toBeTruthy()
})

test('each privacy setting has its own switch and description', async () => {
  const { user, settings } = await open('privacy')
  const reads = screen.getByRole('switch', { name: 'Which messages I have read' })
  expect(document.getElementById(reads.getAttribute('aria-describedby') ?? '')?.textContent).toContain('Off:')
  await user.click(reads)
  expect(settings()).toMatchObject({ publishReads: false, publishDelivery: true })
})

test('channels read without receipts are listed and can be changed back', async () => {
  const key = sidebarKey(aSession())
  const { user, settings } = await open('privacy', aBridge({ traceless: { [key]: ['team:plans', 'team:talk'] } }))
  await user.click(screen.getByRole('button', { name: 'Show others what I’ve read in team:plans' }))
  await waitFor(() => expect(settings()?.traceless).toEqual({ [key]: ['team:talk'] }))
})

test('where reading is chosen it says that a window that has just started waits for the user', async () => {
  const { user } = await open('messages', aBridge({ autoRead: 'automatic' }))
  expect(await screen.findByText(/just started Parlor, first move the pointer or press a key/)).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'Manually' }))
  expect(await screen.findByText(/^Only when you press Esc/)).toBeTruthy()
})

test('photos can be blurred in every channel', async () => {
  const { user, settings } = await open('messages', aBridge())
  await user.click(screen.getByRole('switch', { name: 'Blur photos' }))
  await waitFor(() => expect(settings()?.blurMedia).toBe(true))
})

test('channels with hidden media are listed and can be changed back', async () => {
  const key = sidebarKey(aSession())
  const { user, settings } = await open('messages', aBridge({ hiddenMedia: { [key]: ['team:plans', 'team:talk'] } }))
  await user.click(screen.getByRole('button', { name: 'Show media in team:plans' }))
  await waitFor(() => expect(settings()?.hiddenMedia).toEqual({ [key]: ['team:talk'] }))
})

test('name and status are edited in place; an error is shown at the field and the text stays', async () => {
  const bridge = aBridge()
  const me = aSession().userId ?? ''
  bridge.change({ users: byId([aUser({ id: me, name: 'Ola' })]) })
  bridge.on('people.changeProfile', () => {
    throw new AppError('server/not-allowed')
  })
  const { user } = await open('account', bridge)
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
  expect(name.autocomplete).toBe('name')
  await user.clear(name)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getByRole('alert').textContent).toBe('Type a name that others will see.')
  await user.type(name, 'Ola Nowak')
  await user.type(screen.getByRole('textbox', { name: 'Status' }), 'Back on Monday')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(bridge.inputsOf('people.changeProfile')).toEqual([{ name: 'Ola Nowak', statusText: 'Back on Monday' }])
  expect((await screen.findByRole('alert')).textContent).not.toBe('')
  expect(name.value).toBe('Ola Nowak')
})

test('a status gets an end, which is sent with it and can be removed', async () => {
  const bridge = aBridge()
  const me = aSession().userId ?? ''
  const statusUntil = Date.now() + 7_200_000
  bridge.change({ users: byId([aUser({ id: me, name: 'Ola', statusText: 'Lunch', statusUntil })]) })
  bridge.on('people.changeProfile', () => undefined)
  const { user } = await open('account', bridge)
  const end = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Status ends' })
  expect(end.value).toBe('until')
  await user.selectOptions(end, 'half')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const [first] = bridge.inputsOf('people.changeProfile') as { statusUntil: number }[]
  expect(Math.abs((first?.statusUntil ?? 0) - Date.now() - 1_800_000)).toBeLessThan(60_000)
  await user.selectOptions(end, 'never')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(bridge.inputsOf('people.changeProfile').at(-1)).toEqual({ name: 'Ola', statusText: 'Lunch' })
})

test('the API secret of a server elsewhere is typed unseen, kept when refused, and cleared when stored', async () => {
  const bridge = aBridge()
  const workspace = { kind: 'hosted', name: 'x', demo: false, url: 'https://chat.example' } as const
  bridge.change({ session: { self: { ...aSession(), workspace } } })
  bridge.on('session.saveApiSecret', () => {
    throw new AppError('session/secret-refused')
  })
  const { user, store } = await open('account', bridge)
  const field = screen.getByLabelText<HTMLInputElement>('API secret')
  expect(field.type).toBe('password')
  await user.click(within(field.form ?? field).getByRole('button', { name: 'Save' }))
  expect(screen.getByRole('alert').textContent).toMatch(/Enter the API secret/)
  await user.type(field, 's3cret')
  await user.click(within(field.form ?? field).getByRole('button', { name: 'Save' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/didn’t accept this API secret/)
  expect(field.value).toBe('s3cret')
  bridge.on('session.saveApiSecret', () => undefined)
  await user.click(within(field.form ?? field).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(field.value).toBe(''))
  expect(JSON.stringify(store.getState())).not.toContain('s3cret')
  act(() => bridge.change({ manage: { self: { rights: ['people'], source: 'secret', changes: {} } } }))
  await user.click(await screen.findByRole('button', { name: 'Remove' }))
  expect(bridge.inputsOf('session.saveApiSecret').at(-1)).toEqual({})
})

test('a workspace of this device has no field for an API secret', async () => {
  await open('account', aBridge())
  expect(screen.queryByLabelText('API secret')).toBeNull()
})

test('a page can be reset to its defaults, and the reset undone', async () => {
  const { user, settings } = await open('messages', aBridge({ autoRead: 'by-hand', theme: 'dark' }))
  await user.click(screen.getByRole('button', { name: 'Reset this page' }))
  await waitFor(() => expect(settings()).toMatchObject({ autoRead: 'automatic', theme: 'dark' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(settings()?.autoRead).toBe('by-hand'))
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('a setting is found by its texts; its page opens with the row focused', async () => {
  const { user } = await open('about')
  await user.type(screen.getByRole('searchbox', { name: 'Find a setting' }), 'typing')
  const list = screen.getByRole('navigation')
  expect(within(list).getByText('1 setting')).toBeTruthy()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('heading', { level: 1, name: 'Privacy and security' })).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('switch', { name: 'When I’m typing' })))
})

test('a query without results says so', async () => {
  const { user } = await open('about')
  await user.type(screen.getByRole('searchbox', { name: 'Find a setting' }), 'xyzzy')
  expect(screen.getByText('No settings found.')).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(screen.getByRole('link', { name: 'Appearance' })).toBeTruthy()
})

test('diagnostics show the connection and failures, and can be copied', async () => {
  const { user } = await open('advanced')
  expect(await screen.findByText('WebSocket, for 1 min')).toBeTruthy()
  expect(screen.getByText('2 minutes ago, median 12 ms')).toBeTruthy()
  expect(screen.getByText('250 ms behind this device')).toBeTruthy()
  const failure = screen.getByRole('row', { name: /call\/offline/ })
  expect(
    within(failure)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['7', '5 minutes ago'])
  await user.click(screen.getByRole('button', { name: 'Copy report' }))
  await screen.findByText('Copied.')
  expect(JSON.parse(await navigator.clipboard.readText())).toEqual(FIGURES)
})

test('the speed of this device stands beside the goals, with what may help, and can be cleared', async () => {
  for (const ms of [20, 30, 1_000]) keepSpeed('send', ms)
  for (const ms of [150, 250, 350]) keepSpeed('again', ms)
  const { user } = await open('advanced')
  const table = within(screen.getByRole('table', { name: 'Speed' }))
  const row = (name: RegExp): string[] => {
    const found = within(table.getByRole('row', { name }))
    return [found.getByRole('rowheader').textContent, ...found.getAllByRole('cell').map((cell) => cell.textContent)]
  }
  const [sent, ...sentTimes] = row(/^Send a message/)
  expect(sentTimes).toEqual(['30 ms', '1,000 ms', '50 ms'])
  expect(sent).toContain('Within the goal, measured 3 times.')
  const [again, ...againTimes] = row(/^Open a channel again/)
  expect(againTimes).toEqual(['250 ms', '350 ms', '100 ms'])
  expect(again).toContain('Slower than the goal.This doesn’t depend on the network.')
  expect(row(/^Search/).slice(1)).toEqual(['Not measured yet', '200 ms'])
  await user.click(screen.getByRole('button', { name: 'Clear measurements' }))
  expect(screen.getByText('Measurements cleared.')).toBeTruthy()
  expect(row(/^Send a message/).slice(1)).toEqual(['Not measured yet', '50 ms'])
  expect(readSpeed()).toEqual({ start: [], again: [], first: [], send: [], arrive: [], search: [] })
})

test('Reconnect reconnects at once', async () => {
  const { bridge, user } = await open('advanced')
  await user.click(await screen.findByRole('button', { name: 'Reconnect' }))
  expect(bridge.inputsOf('session.reconnect')).toHaveLength(1)
})

test('the page of the app checks for updates, shows their progress, and restarts on request', async () => {
  const { bridge, user, updates, settings } = await open('system')
  for (const call of ['look', 'install', 'later', 'skip'] as const) bridge.on(`updates.${call}`, () => undefined)
  await user.click(await screen.findByRole('button', { name: 'Check for updates' }))
  expect(bridge.inputsOf('updates.check')).toHaveLength(1)
  updates({ stage: 'fetching', version: '1.1.0', share: 0.47, announced: false })
  await screen.findByText('Downloading version 1.1.0: 40%')
  updates({ stage: 'ready', version: '1.1.0', announced: true })
  const notice = await screen.findByRole('group', { name: 'Parlor 1.1.0 is ready' })
  await user.click(within(notice).getByRole('button', { name: 'Restart to update' }))
  await user.click(within(notice).getByText('Later'))
  await user.click(within(notice).getByRole('button', { name: 'Skip this version' }))
  const calls = ['updates.install', 'updates.later', 'updates.skip'] as const
  expect(calls.map((call) => bridge.inputsOf(call).length)).toEqual([1, 1, 1])
  await user.click(screen.getByRole('radio', { name: 'Notify me' }))
  expect(settings()?.desktop.updates).toBe('notify')
  updates({ stage: 'rest', announced: false, failure: 'update/untrusted', refused: '1.1.0' })
  expect(screen.getByRole('alert').textContent).toMatch(/isn’t signed correctly/)
  expect(screen.getByText(/Version 1.1.0 couldn’t be installed or didn’t start/)).toBeTruthy()
})

test('a build without updates says why and offers nothing', async () => {
  const { updates } = await open('system')
  updates({ unable: 'no-feed', stage: 'rest', announced: false })
  await screen.findByText(/has no update source/)
  expect(screen.queryByRole('button', { name: 'Check for updates' })).toBeNull()
  expect(screen.queryByRole('radio', { name: 'Notify me' })).toBeNull()
})

test('downloads are listed with their actions, and with errors of failed ones', async () => {
  const bridge = createFakeBridge({ host: { kind: 'electron' } })
  const at = Date.now()
  bridge.on('desktop.downloads', () => [
    { id: '2', name: 'plan.pdf', state: 'done', receivedBytes: 5_000, totalBytes: 5_000, at },
    { id: '1', name: 'walk.mp4', state: 'broken', receivedBytes: 0, totalBytes: 9, at },
  ])
  bridge.on('desktop.clearDownloads', () => undefined)
  bridge.on('desktop.download', ({ what }: { what: string }) => {
    if (what === 'open') throw new AppError('desktop/download-gone')
  })
  await renderInApp(<DownloadsDialog />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Open plan.pdf' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/no longer where it was saved/)
  await user.click(screen.getByRole('button', { name: 'Try walk.mp4 again' }))
  await user.click(screen.getByRole('button', { name: 'Clear list' }))
  expect(bridge.inputsOf('desktop.download')).toEqual([
    { id: '2', what: 'open' },
    { id: '1', what: 'again' },
  ])
  expect(bridge.inputsOf('desktop.clearDownloads')).toHaveLength(1)
})
