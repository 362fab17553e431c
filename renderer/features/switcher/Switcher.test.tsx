import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { aSession, aUser, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
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
