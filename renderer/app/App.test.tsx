import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {
  addLittleEngine,
  aConnection,
  aSession,
  cairnMaps,
  createFakeBridge,
  type FakeBridge,
} from '../../tests/kit/fake-bridge/index.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { renderInApp } from '../../tests/kit/render-in-app.tsx'
import { createEffectRunner } from '../bridge/effects.ts'
import { command } from '../store/command.ts'
import { hostStateChanged } from '../store/window/host.ts'
import { routeOpened } from '../store/window/ui.ts'
import { asCid } from '#shared/lib/brand.ts'
import { App } from './App.tsx'
import { registry } from './features.ts'

beforeEach(() => {
  window.innerWidth = 1440
})
afterEach(cleanup)

const DESIGN = 'messaging:design-crit'

async function show(change: (fake: FakeBridge) => void = () => {}) {
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  change(bridge)
  const view = await renderInApp(<App />, bridge, 'en', registry)
  await act(() => Promise.resolve())
  return { bridge, ...view }
}

test('the window opens at the first conversation with its landmarks', async () => {
  await show()
  expect(screen.getByRole('navigation', { name: 'Workspace' })).toBeDefined()
  expect(screen.getByRole('main', { name: 'release-4-2' })).toBeDefined()
  await waitFor(() => expect(document.title).toBe('(4) release-4-2, Cairn Maps, Parlor'))
})

test('a stopped program is reported by the banner, and by one notice where there is no banner', async () => {
  const { bridge, store } = await show()
  await act(async () => {
    bridge.becomeHost('gone')
    store.dispatch(hostStateChanged('gone'))
  })
  const stopped = 'Parlor has stopped on this device.'
  const stopAlerts = () =>
    screen.queryAllByRole('alert').filter(({ textContent }) => textContent.includes('Start it again'))
  const fail = (type: string) =>
    store.dispatch(command(type, async (_input: void, engine) => engine.channels.close({ cid: asCid('team:x') }))())
  await act(() => fail('one'))
  expect(screen.getByText(stopped, { exact: false, selector: '[data-region="banner"] *' })).toBeDefined()
  expect(stopAlerts()).toEqual([])
  await act(async () => void store.dispatch(routeOpened({ view: 'later' })))
  await act(() => fail('two'))
  await act(() => fail('three'))
  expect(stopAlerts()).toHaveLength(1)
})

test('the title shows "!" while a sign-in is needed, and the badge of an installed page has no number', async () => {
  const badges: (number | undefined)[] = []
  Object.assign(navigator, {
    setAppBadge: (count?: number) => {
      badges.push(count)
      return Promise.resolve()
    },
  })
  const { bridge } = await show()
  const connection = { state: 'unhealthy', offline: true, transport: 'websocket', serverRestarting: false } as const
  act(() => bridge.change({ connection: { self: { ...connection, blocked: 'session/token-refused' } } }))
  await act(() => Promise.resolve())
  await waitFor(() => expect(document.title).toBe('(!) release-4-2, Cairn Maps, Parlor'))
  Reflect.deleteProperty(navigator, 'setAppBadge')
  // React runs an effect twice at first; the same badge again is no change.
  expect(badges.filter((badge, index) => badge !== badges[index - 1] || index === 0)).toEqual([4, undefined])
})

test('before it is locked a window hides everything and saves the text being written', async () => {
  const { bridge, store } = await show()
  await userEvent.type(screen.getByRole('textbox', { name: /^Message/ }), 'half a thought')
  await act(async () => createEffectRunner(store, bridge.host)({ type: 'locking' }))
  expect(screen.queryByText('half a thought')).toBeNull()
  expect(screen.queryByRole('navigation', { name: 'Workspace' })).toBeNull()
  expect(bridge.inputsOf('drafts.save').at(-1)).toMatchObject({ text: 'half a thought' })
})

test('a locked window shows only the PIN field and a neutral title', async () => {
  const { bridge } = await show()
  const rows = { session: { self: { state: 'signed-out' as const } }, lock: { self: { on: true, locked: true } } }
  await act(async () => bridge.change(rows))
  expect(await screen.findByLabelText('PIN')).toBeTruthy()
  expect(screen.getAllByRole('main').length).toBe(1)
  await waitFor(() => expect(document.title).toBe('Parlor'))
})

test('a sidebar row is named with its badges and has a stable test attribute', async () => {
  await show()
  const row = screen.getByRole('link', { name: 'support-triage, 2 mentions' })
  expect(row.dataset['channelItem']).toBe('messaging:support-triage')
  expect(screen.getByRole('link', { name: 'leads, private' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'map-data, draft' })).toBeDefined()
})

test('a click on a row opens its conversation and remembers it', async () => {
  const { bridge } = await show()
  await userEvent.click(screen.getByRole('link', { name: /design-crit/ }))
  expect(screen.getByRole('main', { name: 'design-crit' })).toBeDefined()
  expect(screen.getByRole('link', { name: /design-crit/ }).getAttribute('aria-current')).toBe('page')
  expect(bridge.inputsOf('settings.update')).toContainEqual({
    lastChannels: expect.objectContaining({ [sidebarKey(aSession())]: 'messaging:design-crit' }),
  })
})

test('a full disk while the last channel is saved shows no error', async () => {
  const { bridge } = await show((fake) =>
    fake.on('settings.update', () => {
      throw Object.assign(new Error('full'), { code: 'disk/full' })
    }),
  )
  await userEvent.click(screen.getByRole('link', { name: /design-crit/ }))
  expect(bridge.inputsOf('settings.update')).not.toEqual([])
  await act(() => Promise.resolve())
  expect(screen.getByRole('main', { name: 'design-crit' })).toBeDefined()
  expect(within(screen.getByRole('region', { name: 'Notices' })).queryByRole('alert')).toBeNull()
})

test('Alt with arrows moves between conversations, with Shift between unread ones', async () => {
  await show()
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  expect(screen.getByRole('main', { name: 'leads' })).toBeDefined()
  await userEvent.keyboard('{Alt>}{Shift>}{ArrowDown}{/Shift}{/Alt}')
  expect(screen.getByRole('main', { name: 'design-crit' })).toBeDefined()
})

test('Ctrl K finds people and channels by a few letters without diacritics', async () => {
  await show()
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.type(await screen.findByRole('combobox', { name: 'Search or jump to' }), 'zielin')
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'TZTomasz Zieliński↵',
    'Messages containing “zielin”CtrlShiftF',
  ])
  await userEvent.keyboard('{Enter}')
  expect(screen.getByRole('main', { name: 'Tomasz Zieliński' })).toBeDefined()
})

test('Ctrl K finds single settings by their names', async () => {
  const { store } = await show()
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.type(await screen.findByRole('combobox', { name: 'Search or jump to' }), '>text size')
  await userEvent.keyboard('{Enter}')
  expect(store.getState().ui.route).toEqual({ view: 'settings', section: 'appearance', row: 'Text size' })
})

test('arrows move inside the sidebar, which is one tab stop', async () => {
  await show()
  const first = screen.getByRole('link', { name: /release-4-2/ })
  first.focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement?.getAttribute('data-channel-item')).toBe('messaging:leads')
  const rows = within(screen.getByRole('navigation', { name: 'Workspace' })).getAllByRole('link')
  expect(rows.filter((row) => row.tabIndex === 0)).toHaveLength(1)
})

test('a section closes, and the setting is saved', async () => {
  const { bridge } = await show()
  await userEvent.click(screen.getByRole('button', { name: 'Channels', expanded: true }))
  await waitFor(() => expect(bridge.inputsOf('settings.update')).toContainEqual({ closedSections: ['channels'] }))
  await waitFor(() => expect(screen.queryByRole('link', { name: /support-triage/ })).toBeNull())
})

test('offline shows the chip, the banner and a button to retry', async () => {
  const { bridge } = await show((fake) =>
    fake.change({
      connection: {
        self: aConnection({ state: 'unhealthy', offline: true, knownUntil: new Date(2026, 10, 15, 16, 20).getTime() }),
      },
    }),
  )
  expect(document.querySelector('[data-region="banner"]')?.textContent).toContain('Last updated Sun, Nov 15, 16:20.')
  expect(screen.getAllByText('Offline').length).toBeGreaterThan(0)
  expect(document.querySelector('[data-announcer="assertive"]')?.textContent).toBe('You’re offline.')
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }))
  expect(bridge.inputsOf('session.reconnect')).toHaveLength(1)
  await userEvent.click(screen.getByRole('button', { name: 'Offline' }))
  const explained = within(screen.getByRole('dialog', { name: 'Connection' }))
  expect(explained.getByText(/Last updated Sun, Nov 15, 16:20/)).toBeTruthy()
  await userEvent.click(explained.getByRole('button', { name: 'Try now' }))
  expect(bridge.inputsOf('session.reconnect')).toHaveLength(2)
})

test('the row of the viewer follows the connection from the moment it is lost', async () => {
  const { bridge, store } = await show()
  const row = screen.getByRole('button', { name: 'Settings' }).parentElement as HTMLElement
  const shown = () => [
    within(row).queryByText(/^(Reviewing RC2|Connecting…|Offline)$/)?.textContent,
    row.querySelector('i')?.className.match(/online|offline/)?.[0],
  ]
  const become = (state: Parameters<typeof aConnection>[0]) =>
    act(async () => bridge.change({ connection: { self: aConnection(state) } }))
  expect(shown()).toEqual(['Reviewing RC2', 'online'])
  await become({ state: 'unhealthy', lostAt: 1 })
  expect(shown()).toEqual(['Connecting…', 'offline'])
  await become({ state: 'connecting', lostAt: 1 })
  expect(shown()).toEqual(['Connecting…', 'offline'])
  await become({ state: 'connecting', offline: true, lostAt: 1 })
  expect(shown()).toEqual(['Offline', 'offline'])
  await become({ state: 'unhealthy', blocked: 'server/signed-out' })
  expect(shown()).toEqual(['Offline', 'offline'])
  await become({})
  expect(shown()).toEqual(['Reviewing RC2', 'online'])
  await act(async () => void store.dispatch(hostStateChanged('gone')))
  expect(shown()).toEqual(['Offline', 'offline'])
})

test('Escape closes the panel and focus returns to the button that opened it', async () => {
  const { store } = await show()
  const opener = screen.getByRole('button', { name: '14 members' })
  await userEvent.click(opener)
  expect(screen.getByRole('complementary', { name: 'Members' })).toBeDefined()
  await userEvent.keyboard('{Escape}')
  expect(store.getState().ui.panel).toBeUndefined()
  expect(document.activeElement).toBe(opener)
})

test('a refused command shows a notice that stays while the window has no focus', async () => {
  const { bridge } = await show()
  bridge.on('channels.archive', () => {
    throw Object.assign(new Error('no'), { code: 'server/not-allowed' })
  })
  vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  await userEvent.pointer({ keys: '[MouseRight]', target: screen.getByRole('link', { name: 'announcements' }) })
  await userEvent.click(screen.getByRole('menuitem', { name: 'Archive for me' }))
  expect(within(screen.getByRole('region', { name: 'Notices' })).getByRole('group').textContent).toBe(
    'You don’t have permission to do this. Ask an owner or moderator.',
  )
  vi.restoreAllMocks()
})

test('settings fill the window, apply at once, and Escape goes back', async () => {
  const { bridge } = await show()
  await userEvent.keyboard('{Control>},{/Control}')
  await userEvent.click(await screen.findByRole('radio', { name: 'Dark' }))
  await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'))
  expect(bridge.inputsOf('settings.update')).toContainEqual({ theme: 'dark' })
  await userEvent.keyboard('{Escape}')
  expect(screen.getByRole('main', { name: 'release-4-2' })).toBeDefined()
})

test('the language changes without a restart', async () => {
  await show((fake) => {
    const self = fake.world.rows.settings?.['self']
    if (self !== undefined) fake.change({ settings: { self: { ...self, language: 'pl' } } })
  })
  // The texts of a language are two dozen files, loaded when the language is chosen.
  await waitFor(() => expect(screen.getByRole('button', { name: 'Nowy kanał' })).toBeDefined())
  expect(document.documentElement.lang).toBe('pl')
})

test('signed out, one press opens the demo under the name of the account on this device', async () => {
  const { bridge } = await show((fake) => fake.change({ session: { self: { state: 'signed-out' } } }))
  await screen.findByDisplayValue('Lena Hoffmann')
  await userEvent.click(await screen.findByRole('button', { name: /Try the demo/ }))
  expect(bridge.inputsOf('session.openDemo')).toEqual([{ name: 'Lena Hoffmann' }])
  await waitFor(() => expect(screen.getByRole('navigation', { name: 'Workspace' })).toBeDefined())
})

test('the error for a refused server address is shown under its field', async () => {
  await show((fake) => fake.change({ session: { self: { state: 'signed-out' } } }))
  await userEvent.click(await screen.findByRole('button', { name: /Join or connect/ }))
  await userEvent.click(screen.getByRole('button', { name: /My team runs a server/ }))
  await userEvent.type(screen.getByLabelText('Server address'), 'https://nowhere.example')
  await userEvent.type(screen.getByLabelText('API key'), 'key')
  await userEvent.click(screen.getByRole('button', { name: 'Connect' }))
  const field = screen.getByLabelText('Server address')
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByText(/Couldn’t reach the server/).getAttribute('role')).toBe('alert')
})

test('Alt+click opens a conversation in the other half, Ctrl+click in a window; Escape closes the half', async () => {
  const { bridge, store } = await show((fake) => fake.on('app.openPlace', () => ({})))
  const row = screen.getByRole('link', { name: /^design-crit/ })
  fireEvent.click(row, { altKey: true })
  const half = await screen.findByRole('complementary', { name: 'design-crit' })
  expect(screen.getByRole('main', { name: 'release-4-2' })).toBeDefined()
  const field = await within(half).findByRole('textbox', { name: 'Message #design-crit' })
  await waitFor(() => expect(document.activeElement).toBe(field))
  await userEvent.type(field, 'for these eyes')
  expect(screen.getByRole('textbox', { name: 'Message #release-4-2' })).toHaveProperty('value', '')
  await act(() => Promise.resolve())
  expect(bridge.inputsOf('app.reportFocus').at(-1)).toMatchObject({ cid: DESIGN, beside: 'messaging:release-4-2' })

  for (const press of [
    () => fireEvent.click(row, { ctrlKey: true }),
    () => fireEvent.mouseUp(row, { button: 1 }),
    () => fireEvent.keyDown(row, { key: 'Enter', ctrlKey: true }),
  ]) {
    press()
  }
  await act(() => Promise.resolve())
  expect(bridge.inputsOf('app.openPlace')).toEqual([{ cid: DESIGN }, { cid: DESIGN }, { cid: DESIGN }])

  act(() => screen.getByRole('textbox', { name: 'Message #release-4-2' }).focus())
  expect(store.getState().ui.inSplit).toBeUndefined()
  await userEvent.keyboard('{Escape}')
  expect(screen.getByRole('complementary', { name: 'design-crit' })).toBeDefined()
  act(() => field.focus())
  await userEvent.clear(field)
  await userEvent.keyboard('{Escape}{Escape}')
  expect(screen.queryByRole('complementary', { name: 'design-crit' })).toBeNull()
})
