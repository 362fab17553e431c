import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { SignOutDialog } from './index.ts'

afterEach(cleanup)

async function show() {
  const bridge = createFakeBridge({
    rows: { session: { self: aSession() }, settings: { self: someSettings() }, connection: { self: aConnection() } },
    windows: [],
  })
  bridge.on('session.unsentCount', () => 2)
  await renderInApp(<SignOutDialog />, bridge)
  return { bridge, user: userEvent.setup() }
}

test('signing out keeps what is not sent, and says how much that is', async () => {
  const { bridge, user } = await show()
  await screen.findByText('2 things are not sent yet. They are kept for your next sign-in.')
  await user.click(screen.getByRole('button', { name: 'Sign out' }))
  expect(bridge.inputsOf('session.signOut')).toEqual([{ wipe: false }])
})

test('deleting everything as well is asked for on purpose, and says that the unsent goes with it', async () => {
  const { bridge, user } = await show()
  await user.click(screen.getByRole('checkbox', { name: /delete everything of this account/ }))
  await screen.findByText('2 things are not sent yet, and are deleted too.')
  await user.click(screen.getByRole('button', { name: 'Sign out and delete' }))
  expect(bridge.inputsOf('session.signOut')).toEqual([{ wipe: true }])
})
