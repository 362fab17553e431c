import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { HostInfo } from '#shared/bridge/transport.ts'
import { DEFAULT_DESKTOP, type DesktopChoices, type DesktopState } from '#shared/domain/desktop/desktop.ts'
import type { Managed } from '#shared/domain/desktop/policies.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { ManagedSettings } from '../controls/SettingRow.tsx'
import { AppAndSystem, Storage } from '../pages/AppAndSystem.tsx'

afterEach(cleanup)

const ALL: DesktopState = {
  can: { tray: true, closing: true, startup: true, shortcut: true, protection: true, battery: true, downloads: true },
  trayHasPlace: true,
  keysTaken: [],
}

type World = {
  readonly host?: Partial<HostInfo>
  readonly state?: Partial<DesktopState>
  readonly chosen?: Partial<DesktopChoices>
  readonly refuses?: string
  readonly folder?: string
}

async function show({ host = {}, state = {}, chosen = {}, refuses, folder }: World = {}, page = <AppAndSystem />) {
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      settings: { self: someSettings({ desktop: { ...DEFAULT_DESKTOP, ...chosen } }) },
      connection: { self: aConnection() },
    },
    windows: [],
    host: { kind: 'electron', os: 'windows', ...host },
  })
  bridge.on('certificates.list', () => [])
  bridge.on('certificates.own', () => ({}))
  bridge.on('desktop.state', () => ({ ...ALL, ...state }))
  bridge.on('desktop.chooseFolder', () => (folder === undefined ? {} : { folder }))
  bridge.on('settings.update', (changes: Partial<Settings>) => {
    if (refuses !== undefined) throw new AppError(refuses)
    const self = bridge.world.rows.settings?.['self']
    if (self) bridge.change({ settings: { self: { ...self, ...changes } } })
  })
  await renderInApp(page, bridge)
  const stored = () => bridge.world.rows.settings?.['self']?.desktop
  return { user: userEvent.setup(), stored }
}

test('in a browser the page says where these settings are, and offers none', async () => {
  await show({ host: { kind: 'browser' } })
  expect(screen.getByText(/Parlor is running in a browser/)).toBeTruthy()
  expect(screen.queryAllByRole('switch')).toEqual([])
})

test('each choice is saved at once', async () => {
  const { user, stored } = await show()
  await user.click(await screen.findByRole('switch', { name: 'Start at login' }))
  await waitFor(() => expect(stored()?.startAtLogin).toBe(true))
  await user.click(screen.getByRole('switch', { name: 'Tray icon' }))
  await waitFor(() => expect(stored()?.tray).toBe('off'))
  await screen.findByText('Parlor quits, because without the tray icon you couldn’t open it again.')
})

test('a desktop without a place for badges, and a system that cannot hide windows, say so', async () => {
  await show({ host: { os: 'linux' }, state: { trayHasPlace: false, can: { ...ALL.can, protection: false } } })
  await screen.findByText(/doesn’t show tray icons/)
  expect(screen.getByText(/can’t hide a window/)).toBeTruthy()
  expect(screen.queryByRole('switch', { name: 'Hide Parlor in screenshots and screen sharing' })).toBeNull()
})

test('a pressed shortcut is saved; one that is already used is refused at once', async () => {
  const { user, stored } = await show()
  await user.click(await screen.findByRole('button', { name: 'Set shortcut: Global shortcut' }))
  await user.keyboard('{Control>}c{/Control}')
  expect((await screen.findByRole('alert')).textContent).toContain('two of Ctrl, Shift, and Alt')
  await user.keyboard('{Control>}{Shift>}k{/Shift}{/Control}')
  await waitFor(() => expect(stored()?.shortcut).toBe('Mod+Shift+K'))
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'Clear shortcut: Global shortcut' }))
  await waitFor(() => expect(stored()?.shortcut).toBe(''))
})

test('a second shortcut is shown next to the first, and saved separately', async () => {
  const { user, stored } = await show({ state: { keysTaken: ['shortcut'] } })
  await user.click(await screen.findByRole('button', { name: 'Set shortcut: Global Do Not Disturb shortcut' }))
  await user.keyboard('{Control>}{Shift>}d{/Shift}{/Control}')
  await waitFor(() => {
    expect(stored()?.quietShortcut).toBe('Mod+Shift+D')
    expect(stored()?.shortcut).toBe('')
  })
  expect(screen.getAllByRole('alert')).toHaveLength(1)
})

test('a shortcut of another program is reported, and nothing is saved', async () => {
  const { user, stored } = await show({ refuses: 'desktop/shortcut-taken' })
  await user.click(await screen.findByRole('button', { name: 'Set shortcut: Global shortcut' }))
  await user.keyboard('{Control>}{Shift>}k{/Shift}{/Control}')
  expect((await screen.findByRole('alert')).textContent).toContain('another app already uses this shortcut')
  expect(stored()?.shortcut).toBe('')
})

test('the graphics card is unused from the next start on, and the row says so', async () => {
  const { user, stored } = await show({ state: { graphics: { inUse: true } } })
  await screen.findByText(/flickers/)
  await user.click(screen.getByRole('switch', { name: 'Hardware acceleration' }))
  await screen.findByText('Takes effect the next time you start Parlor.')
  expect(stored()?.graphics).toBe(false)
})

test('a folder for downloads is chosen, shown and removed', async () => {
  const { user, stored } = await show({ folder: '/files/new' })
  await user.click(await screen.findByRole('button', { name: 'Choose a folder' }))
  await screen.findByText('Files are saved to /files/new.')
  await user.click(screen.getByRole('button', { name: 'Ask each time' }))
  await waitFor(() => expect(stored()?.downloadFolder).toBe(''))
})

const MANAGED: Managed = {
  sources: [{ from: '/etc/parlor/policy.json' }, { from: 'elsewhere', problem: 'not-policies' }],
  values: { Organization: 'Cairn Maps', CacheRetentionDays: 7, AllowMicrophone: false },
  origins: {},
  unknown: [{ name: 'AllowTelepathy', from: '/etc/parlor/policy.json' }],
  refused: [{ name: 'MaxUploadSize', from: '/etc/parlor/policy.json' }],
}

test('a managed setting is locked, with who manages it', async () => {
  await show({ host: { managed: MANAGED } }, <Storage />)
  expect(screen.getByText('Managed by Cairn Maps')).toBeTruthy()
  expect(screen.queryByRole('radiogroup', { name: 'Store messages for' })).toBeNull()
})

test('all policies are listed with their source, and what was not understood', async () => {
  await show({ host: { managed: MANAGED } }, <ManagedSettings />)
  const text = document.body.textContent ?? ''
  for (const part of [
    'Read from /etc/parlor/policy.json',
    'elsewhere',
    'AllowTelepathy',
    'MaxUploadSize',
    'Not allowed',
  ])
    expect(text).toContain(part)
})
