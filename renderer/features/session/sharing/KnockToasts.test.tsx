import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { SharingState, WaitingPerson } from '#shared/domain/sharing.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { sendCommand } from '../../../store/commands.ts'
import { dialogClosed, dialogOpened } from '../../../store/window/ui.ts'
import { KnockToasts } from './KnockToasts.tsx'

afterEach(cleanup)

const marek: WaitingPerson = {
  id: 'r1',
  name: 'Marek Duda',
  role: 'user',
  invitation: 'Office',
  address: '192.168.1.30',
  at: Date.UTC(2026, 10, 28, 9),
  nameTaken: false,
}
const stateWith = (...waiting: WaitingPerson[]): SharingState => ({
  wanted: true,
  on: true,
  port: 7_443,
  addresses: ['192.168.1.24'],
  approve: true,
  announced: 'no',
  invitations: [],
  waiting,
  connected: [],
})

async function show(...waiting: WaitingPerson[]) {
  const session = aSession()
  const bridge = createFakeBridge({
    rows: {
      session: {
        self: { ...session, workspace: { kind: 'local', name: 'Studio', founded: 'Studio', demo: false, url: '' } },
      },
      settings: { self: someSettings() },
      connection: { self: aConnection() },
    },
    windows: [],
  })
  let now = stateWith(...waiting)
  bridge.on('sharing.state', () => now)
  bridge.on('sharing.decide', () => (now = stateWith()))
  const { store } = await renderInApp(<KnockToasts />, bridge)
  return { bridge, store, user: userEvent.setup(), set: (next: SharingState) => (now = next) }
}

test.each([
  ['Approve', true],
  ['Decline', false],
] as const)('someone who asks to join is answered in the toast: %s', async (label, accept) => {
  const { bridge, user } = await show(marek)
  const toast = await screen.findByRole('group', { name: 'Marek Duda wants to join' })
  const from = toast.textContent
  await user.click(screen.getByRole('button', { name: `${label} Marek Duda` }))
  await waitFor(() => expect(screen.queryByRole('group')).toBeNull())

  expect(from).toContain('192.168.1.30')
  expect(bridge.inputsOf('sharing.decide')).toEqual([{ id: 'r1', accept }])
})

test('it leaves the answer to the dialog while that is open, and to the chip once it was closed by hand', async () => {
  const { store, user } = await show(marek)
  await screen.findByRole('group')
  act(() => void store.dispatch(dialogOpened({ kind: 'share' })))
  const whileOpen = screen.queryByRole('group')
  act(() => void store.dispatch(dialogClosed()))
  await user.click(screen.getByRole('button', { name: 'Close' }))

  expect(whileOpen).toBeNull()
  expect(screen.queryByRole('group')).toBeNull()
})

test('several who ask are one toast that leads to the dialog; a taken name and a refusal are said', async () => {
  const { bridge, store, user, set } = await show(marek, { ...marek, id: 'r2', name: 'Eve' })
  const several = await screen.findByRole('group', { name: '2 people waiting for you' })
  await user.click(screen.getByRole('button', { name: 'Review' }))
  act(() => void store.dispatch(dialogClosed()))
  set(stateWith({ ...marek, nameTaken: true }))
  act(() => store.dispatch(sendCommand('sharingChanged')))
  await screen.findByText('Someone here already has this name')
  bridge.on('sharing.decide', () => {
    throw new AppError('sharing/gone')
  })
  await user.click(screen.getByRole('button', { name: 'Approve Marek Duda' }))

  expect(several.isConnected).toBe(false)
  expect((await screen.findByText('This person is no longer waiting.')).isConnected).toBe(true)
})
