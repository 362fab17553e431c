import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import {
  aChannel,
  addLittleEngine,
  aSession,
  aUser,
  aWindow,
  byCid,
  cairnMaps,
  createFakeBridge,
} from '#kit/fake-bridge/index.ts'
import { asCid } from '#shared/lib/brand.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { routeOpened } from '../../store/window/ui.ts'
import { Switcher } from './Switcher.tsx'

afterEach(cleanup)

test('notes to self rank first by name, even before the channel exists', async () => {
  const rows = {
    session: { self: aSession() },
    users: { ola: aUser({ id: 'ola', name: 'Ola' }), no: aUser({ id: 'no', name: 'Note Toselfson' }) },
  }
  const bridge = createFakeBridge({ rows })
  bridge.on('search.names', () => ({ people: [], channels: [], total: { people: 0, channels: 0 } }))
  await renderInApp(<Switcher actions={[]} />, bridge)
  await userEvent.type(screen.getByRole('combobox'), 'note{Enter}')
  expect(bridge.inputsOf('channels.direct')).toEqual([{ userIds: ['ola'] }])
})

test('recent places are those the viewer was in, latest first; a channel that was never opened is not among them', async () => {
  const { store } = await renderInApp(<Switcher actions={[]} />, addLittleEngine(createFakeBridge(cairnMaps())))
  const open = (name: string): void => {
    act(() => void store.dispatch(routeOpened({ view: 'channel', cid: asCid(`messaging:${name}`) })))
  }
  for (const name of ['field-trips', 'design-crit', 'field-trips', 'support-triage', 'map-data']) open(name)
  const listed = (group: string): string[] =>
    within(screen.getByRole('group', { name: group }))
      .getAllByRole('option')
      .map((option) => /[a-z]+-[a-z]+/.exec(option.textContent)?.[0] ?? option.textContent)
  expect(listed('Recent').slice(0, 3)).toEqual(['support-triage', 'field-trips', 'design-crit'])
  expect(listed('Recent')).not.toContain('map-data')
  expect([...listed('Recent'), ...listed('Unread'), ...listed('Channels and people')].length).toBeGreaterThan(4)
})

test('beside a name is what tells it from others: a status, else what the person is here; a draft, else the topic', async () => {
  const users = {
    ola: aUser({ id: 'ola', name: 'Ola' }),
    marcus: aUser({ id: 'marcus', name: 'Marcus Feld', title: 'iOS' }),
    mara: aUser({ id: 'mara', name: 'Mara Maj', title: 'Legal', statusText: 'On the trail' }),
  }
  const channels = byCid([
    aChannel({ cid: 'team:map-data', name: 'map-data', topic: 'Tiles and sources' }),
    aChannel({ cid: 'team:mail', name: 'mail', topic: 'Letters', hasDraft: true }),
  ])
  const order = aWindow('channels', ['team:map-data', 'team:mail'])
  const bridge = createFakeBridge({ rows: { session: { self: aSession() }, users, channels }, windows: [order] })
  bridge.on('search.names', () => ({ people: Object.values(users), channels: [], total: { people: 3, channels: 0 } }))
  await renderInApp(<Switcher actions={[]} />, bridge)
  await userEvent.type(screen.getByRole('combobox'), 'ma')
  await waitFor(() => expect(beside('Marcus Feld')).toContain('iOS'))
  expect(beside('Mara Maj')).toContain('On the trail')
  expect(beside('map-data')).toContain('Tiles and sources')
  expect(beside('mail')).toContain('Draft')
})

/** The whole text of the row with a name. */
const beside = (name: string): string | undefined =>
  screen
    .getAllByRole('option')
    .map(({ textContent }) => textContent)
    .find((text) => text.includes(name))
