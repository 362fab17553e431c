import { afterEach, expect, test } from 'vitest'
import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { DEFAULT_DESKTOP } from '#shared/domain/desktop/desktop.ts'
import { asCid } from '#shared/lib/brand.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import {
  aChannel,
  addLittleEngine,
  aSession,
  aUser,
  byId,
  cairnMaps,
  createFakeBridge,
  someSettings,
} from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { AboutFacts, InfoSheet } from './InfoPanel.tsx'
import { HiddenMedia, Traceless, Writing } from './ChannelPreferences.tsx'

const cid = asCid('team:plans')
const RELEASE = asCid('messaging:release-4-2')
afterEach(cleanup)

async function opened(here: readonly string[], watcherCount: number) {
  const bridge = createFakeBridge({
    rows: { users: byId([aUser({ id: 'ola', name: 'Ola' }), aUser({ id: 'jan', name: 'Jan' })]) },
  })
  bridge.on('details.here', () => here)
  await renderInApp(<AboutFacts channel={aChannel({ cid, watcherCount })} about={undefined} />, bridge)
  await act(() => Promise.resolve())
}
const hereNow = () => screen.getByText('Online now').nextElementSibling?.textContent

test('the details show what the channel is and have no switch; what is only for the viewer is the first of its settings', async () => {
  const world = cairnMaps()
  const bridge = addLittleEngine(createFakeBridge(world))
  bridge.on('details.here', () => [])
  await renderInApp(<InfoSheet cid={RELEASE} />, bridge)
  expect(await screen.findByRole('heading', { name: 'release-4-2' })).toBeDefined()
  expect(screen.queryByRole('switch')).toBeNull()
  expect(screen.queryByText(RELEASE)).toBeNull()
  cleanup()
  await renderInApp(<InfoSheet cid={RELEASE} page="settings" />, bridge)
  const forYou = within(screen.getByRole('region', { name: 'Only for you' }))
  expect(forYou.getByRole('switch', { name: 'Hide media and previews' })).toBeDefined()
  expect(forYou.getByRole('switch', { name: 'Show when I’m typing' })).toBeDefined()
  expect(
    within(screen.getByRole('region', { name: 'For everyone' })).getByLabelText('Topic', { exact: false }),
  ).toBeDefined()
  expect(screen.getByText(RELEASE)).toBeDefined()
})

test('a direct conversation has settings too, only for the viewer', async () => {
  const world = cairnMaps()
  const direct = Object.values(world.rows.channels ?? {}).find(({ directUserIds }) => directUserIds.length > 0)
  const bridge = addLittleEngine(createFakeBridge(world))
  bridge.on('details.here', () => [])
  const { store } = await renderInApp(<InfoSheet cid={direct?.cid ?? cid} />, bridge)
  await userEvent.click(screen.getByRole('button', { name: 'Settings' }))
  expect(store.getState().ui.panel).toMatchObject({ kind: 'info', page: 'settings' })
  cleanup()
  await renderInApp(<InfoSheet cid={direct?.cid ?? cid} page="settings" />, bridge)
  expect(screen.getByRole('region', { name: 'Only for you' })).toBeDefined()
  expect(screen.queryByRole('region', { name: 'For everyone' })).toBeNull()
})

test('people who have the channel open are listed by name', async () => {
  await opened(['ola', 'jan'], 2)
  expect(hereNow()).toBe('Ola and Jan')
})

test('a channel can turn off some of the spelling languages', async () => {
  const desktop = { ...DEFAULT_DESKTOP, spelling: ['en-GB', 'pl'] }
  const settings = { self: someSettings({ desktop }) }
  const bridge = createFakeBridge({ host: { kind: 'electron' }, rows: { session: { self: aSession() }, settings } })
  await renderInApp(<Writing channel={aChannel({ cid })} />, bridge)
  await userEvent.click(screen.getByRole('switch', { name: 'Check spelling: British English' }))
  const spellingIn = { [sidebarKey(aSession())]: { [cid]: ['pl'] } }
  expect(bridge.inputsOf('settings.update')).toEqual([{ desktop: { ...desktop, spellingIn } }])
})

test('people beyond the listed names are counted', async () => {
  await opened(['ola', 'jan'], 7)
  expect(hereNow()).toBe('Ola, Jan, and 5 more')
})

test('without names only the number is shown', async () => {
  await opened([], 3)
  expect(hereNow()).toBe('3')
})

test('reading without receipts has a switch with a hint, and none if the channel sends no receipts', async () => {
  const bridge = createFakeBridge({ rows: { session: { self: aSession() }, settings: { self: someSettings() } } })
  bridge.on('settings.update', () => undefined)
  const readEvents = (on: boolean) => ({ ...aChannel({ cid }).config, readEvents: on })
  const shown = await renderInApp(<Traceless channel={aChannel({ cid, config: readEvents(true) })} />, bridge)
  const control = screen.getByRole('switch', { name: 'Read without sending receipts', checked: false })
  expect(document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent).toContain(
    'No one sees what you read',
  )
  await userEvent.click(control)
  expect(bridge.inputsOf('settings.update')).toEqual([{ traceless: { [sidebarKey(aSession())]: [cid] } }])
  shown.unmount()
  await renderInApp(<Traceless channel={aChannel({ cid, config: readEvents(false) })} />, bridge)
  expect(screen.queryByRole('switch')).toBeNull()
})

test('typing indicators and link previews can be changed for one channel', async () => {
  const key = sidebarKey(aSession())
  const settings = someSettings({ linkPreviews: { mode: 'on', channels: {}, blocked: [] } })
  const bridge = createFakeBridge({ rows: { session: { self: aSession() }, settings: { self: settings } } })
  bridge.on('settings.update', () => undefined)
  const channel = aChannel({ cid, config: { ...aChannel({ cid }).config, urlEnrichment: true } })
  await renderInApp(<Writing channel={channel} />, bridge)
  await userEvent.click(screen.getByRole('switch', { name: 'Show when I’m typing', checked: true }))
  await userEvent.click(screen.getByRole('switch', { name: 'Link previews', checked: true }))
  expect(bridge.inputsOf('settings.update')).toEqual([
    { quietTyping: { [key]: [cid] } },
    { linkPreviews: { mode: 'on', channels: { [key]: { [cid]: false } }, blocked: [] } },
  ])
})

test('a switch with a hint hides pictures and previews of a channel', async () => {
  const bridge = createFakeBridge({ rows: { session: { self: aSession() }, settings: { self: someSettings() } } })
  bridge.on('settings.update', () => undefined)
  await renderInApp(<HiddenMedia cid={cid} />, bridge)
  const control = screen.getByRole('switch', { name: 'Hide media and previews', checked: false })
  expect(document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent).toContain(
    'aren’t loaded',
  )
  await userEvent.click(control)
  expect(bridge.inputsOf('settings.update')).toEqual([{ hiddenMedia: { [sidebarKey(aSession())]: [cid] } }])
})
