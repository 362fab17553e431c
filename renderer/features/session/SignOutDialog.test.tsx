import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { asUserId } from '#shared/lib/brand.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { DeleteWorkspaceDialog, SignOutDialog } from './ConfirmDialogs.tsx'

afterEach(cleanup)

const TEAM = {
  kind: 'own',
  name: 'Team',
  workspaceName: 'Team',
  userId: asUserId('ola'),
  userName: 'Ola',
  link: '',
  hue: 1,
  muted: false,
  connection: 'connected',
  unread: 0,
  mentions: 0,
} as const

async function show() {
  const bridge = createFakeBridge({
    rows: { session: { self: aSession() }, settings: { self: someSettings() }, connection: { self: aConnection() } },
    windows: [],
  })
  bridge.on('session.unsentCount', () => 2)
  await renderInApp(<SignOutDialog />, bridge)
  return { bridge, user: userEvent.setup() }
}

test('signing out preserves unsent items and shows their number', async () => {
  const { bridge, user } = await show()
  await screen.findByText('2 items haven’t been sent yet. They’re saved until you sign in again.')
  await user.click(screen.getByRole('button', { name: 'Sign out' }))
  expect(bridge.inputsOf('session.signOut')).toEqual([{ wipe: false }])
})

test('deleting everything is a separate choice and warns about unsent items', async () => {
  const { bridge, user } = await show()
  await user.click(screen.getByRole('checkbox', { name: /delete this account’s data/ }))
  await screen.findByText('2 items haven’t been sent yet and will be deleted too.')
  await user.click(screen.getByRole('button', { name: 'Sign out and delete' }))
  expect(bridge.inputsOf('session.signOut')).toEqual([{ wipe: true }])
})

test('a local workspace is deleted only after its name is typed', async () => {
  const key = 'own-1'
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      accounts: { self: { accounts: [{ ...TEAM, key }], shown: key } },
    },
    windows: [],
  })
  bridge.on('session.unsentCount', () => 1)
  bridge.on('session.deleteWorkspace', () => undefined)
  await renderInApp(<DeleteWorkspaceDialog account={key} />, bridge)
  const user = userEvent.setup()
  await screen.findByText('1 item hasn’t been sent yet and will be deleted too.')
  const confirm = screen.getByRole('button', { name: 'Delete workspace' })
  await user.click(confirm)
  expect(screen.getByRole('alert').textContent).toBe('The name doesn’t match')
  expect(bridge.inputsOf('session.deleteWorkspace')).toEqual([])
  await user.type(screen.getByRole('textbox', { name: 'Type Team to confirm' }), 'Team{Enter}')
  expect(bridge.inputsOf('session.deleteWorkspace')).toEqual([{ key }])
})
