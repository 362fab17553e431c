import { afterEach, expect, test } from 'vitest'
import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { DEFAULT_DESKTOP } from '#shared/domain/desktop/desktop.ts'
import { asCid } from '#shared/lib/brand.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import {
  aChannel,
  aSession,
  aUser,
  byId,
  createFakeBridge,
  someSettings,
} from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { AboutFacts } from './AboutFacts.tsx'
import { HiddenMedia } from './HiddenMedia.tsx'
import { Traceless } from './Traceless.tsx'
import { Writing } from './Writing.tsx'

const cid = asCid('team:plans')
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

test('who is here now stands by name', async () => {
  await opened(['ola', 'jan'], 2)
  expect(hereNow()).toBe('Ola and Jan')
})

test('of several languages of the spelling a channel leaves some out', async () => {
  const desktop = { ...DEFAULT_DESKTOP, spelling: ['en-GB', 'pl'] }
  const settings = { self: someSettings({ desktop }) }
  const bridge = createFakeBridge({ host: { kind: 'electron' }, rows: { session: { self: aSession() }, settings } })
  await renderInApp(<Writing channel={aChannel({ cid })} />, bridge)
  await userEvent.click(screen.getByRole('switch', { name: 'Check spelling: British English' }))
  const spellingIn = { [sidebarKey(aSession())]: { [cid]: ['pl'] } }
  expect(bridge.inputsOf('settings.update')).toEqual([{ desktop: { ...desktop, spellingIn } }])
})

test('those beyond the names are counted', async () => {
  await opened(['ola', 'jan'], 7)
  expect(hereNow()).toBe('Ola, Jan, and 5 more')
})

test('where the names cannot be had, the number stands', async () => {
  await opened([], 3)
  expect(hereNow()).toBe('3')
})

test('a channel is read without a trace by a switch that says what it does; where no one hears anyway there is none', async () => {
  const bridge = createFakeBridge({ rows: { session: { self: aSession() }, settings: { self: someSettings() } } })
  bridge.on('settings.update', () => undefined)
  const readEvents = (on: boolean) => ({ ...aChannel({ cid }).config, readEvents: on })
  const shown = await renderInApp(<Traceless channel={aChannel({ cid, config: readEvents(true) })} />, bridge)
  const control = screen.getByRole('switch', { name: 'Read without sending receipts', checked: false })
  expect(document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent).toContain(
    'no one sees what you’ve read',
  )
  await userEvent.click(control)
  expect(bridge.inputsOf('settings.update')).toEqual([{ traceless: { [sidebarKey(aSession())]: [cid] } }])
  shown.unmount()
  await renderInApp(<Traceless channel={aChannel({ cid, config: readEvents(false) })} />, bridge)
  expect(screen.queryByRole('switch')).toBeNull()
})

test('what writing in a channel tells others, and what is asked about its links, is chosen for it beside all others', async () => {
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

test('pictures and previews of a channel are hidden by a switch that says what it does', async () => {
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
