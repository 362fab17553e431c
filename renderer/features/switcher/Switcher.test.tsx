import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { addLittleEngine, aSession, aUser, cairnMaps, createFakeBridge } from '#kit/fake-bridge/index.ts'
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
