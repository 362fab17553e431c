import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { HostInfo } from '#shared/bridge/transport.ts'
import { DEFAULT_DESKTOP, type DesktopState } from '#shared/domain/desktop/desktop.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { Spelling } from './LanguageRegion.tsx'

afterEach(cleanup)

async function show(spelling: DesktopState['spelling'], kind: HostInfo['kind'] = 'electron') {
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      settings: { self: someSettings({ desktop: DEFAULT_DESKTOP }) },
      connection: { self: aConnection() },
    },
    windows: [],
    host: { kind },
  })
  bridge.on('desktop.state', () => ({
    can: {},
    trayHasPlace: false,
    keysTaken: [],
    ...(spelling ? { spelling } : {}),
  }))
  bridge.on('settings.update', (changes: Partial<Settings>) => {
    const self = bridge.world.rows.settings?.['self']
    if (self) bridge.change({ settings: { self: { ...self, ...changes } } })
  })
  await renderInApp(<Spelling />, bridge)
  return { user: userEvent.setup(), kept: () => bridge.world.rows.settings?.['self']?.desktop.spelling }
}

test('several languages can be added by name and removed', async () => {
  const { user, kept } = await show({ languages: ['en-GB', 'pl', 'ru'] })
  await user.selectOptions(await screen.findByLabelText('Language to check'), 'Polish')
  await screen.findByText('Polish', { selector: 'div' })
  await user.selectOptions(screen.getByLabelText('Language to check'), 'British English')
  await screen.findByText('British English', { selector: 'div' })
  expect(kept()).toEqual(['pl', 'en-GB'])
  await user.click(screen.getByRole('button', { name: 'Stop checking Polish' }))
  expect(kept()).toEqual(['en-GB'])
})

test('the source of dictionaries is shown before a language is chosen', async () => {
  await show({ languages: ['pl'] })
  expect(await screen.findByText(/downloaded once from a Google server/)).toBeTruthy()
})

test('if the system chooses the languages there is only a switch', async () => {
  const { user, kept } = await show({ languages: [] })
  await user.click(await screen.findByRole('switch', { name: 'Spell check' }))
  expect(kept()).toEqual(['system'])
})

test('in a browser the row says that the browser checks spelling', async () => {
  await show(undefined, 'browser')
  expect(screen.getByText(/Your browser checks spelling/)).toBeTruthy()
})
