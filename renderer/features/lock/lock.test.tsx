import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { LockSettings } from '../settings/pages/Privacy.tsx'
import { LockPage } from './LockPage.tsx'

afterEach(cleanup)

const aBridge = (lock: { on: boolean; locked: boolean; waitUntil?: number }) =>
  createFakeBridge({
    rows: {
      session: { self: aSession() },
      settings: { self: someSettings() },
      connection: { self: aConnection() },
      lock: { self: lock },
    },
    windows: [],
  })

test('the PIN field is focused; a wrong PIN shows an error and clears the field', async () => {
  const bridge = aBridge({ on: true, locked: true })
  bridge.on('lock.unlock', () => {
    throw Object.assign(new Error('wrong'), { code: 'lock/wrong' })
  })
  await renderInApp(<LockPage />, bridge)
  const user = userEvent.setup()
  const field = screen.getByLabelText<HTMLInputElement>('PIN')
  expect(document.activeElement).toBe(field)
  await user.keyboard('1357{Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong PIN. Try again.')
  expect(bridge.inputsOf('lock.unlock')).toEqual([{ pin: '1357' }])
  expect(field.value).toBe('')
})

test('during the delay after wrong PINs the remaining time is shown, and no PIN is sent', async () => {
  const bridge = aBridge({ on: true, locked: true, waitUntil: Date.now() + 90_000 })
  await renderInApp(<LockPage />, bridge)
  expect(screen.getByText('Too many wrong PINs. Try again in 2 minutes.')).toBeTruthy()
  await userEvent.keyboard('1357{Enter}')
  expect(bridge.inputsOf('lock.unlock')).toEqual([])
})

test('the reset for a forgotten PIN needs the name typed to confirm', async () => {
  const bridge = aBridge({ on: true, locked: true })
  bridge.on('lock.forget', () => undefined)
  await renderInApp(<LockPage />, bridge)
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Forgot the PIN?' }))
  const go = screen.getByRole('button', { name: 'Delete everything' })
  await user.click(go)
  expect(bridge.inputsOf('lock.forget')).toEqual([])
  await user.type(screen.getByRole('textbox', { name: 'Type Parlor to confirm' }), 'Parlor')
  await user.click(go)
  expect(bridge.inputsOf('lock.forget').length).toBe(1)
})

test('a PIN must be repeated; once it is set there are an auto-lock setting and a lock button', async () => {
  const bridge = aBridge({ on: false, locked: false })
  for (const name of ['lock.set', 'lock.now', 'settings.update']) bridge.on(name, () => undefined)
  await renderInApp(<LockSettings />, bridge)
  const user = userEvent.setup()
  expect(screen.queryByRole('combobox')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Set a PIN…' }))
  await user.type(await screen.findByLabelText('New PIN'), '12')
  await user.keyboard('{Enter}')
  expect(screen.getByRole('alert').textContent).toBe('At least 4 characters')
  await user.type(screen.getByLabelText('New PIN'), '34')
  await user.type(screen.getByLabelText('Repeat new PIN'), '1235{Enter}')
  expect(screen.getByRole('alert').textContent).toBe('The PINs don’t match')
  await user.type(screen.getByLabelText('Repeat new PIN'), '{Backspace}4{Enter}')
  expect(bridge.inputsOf('lock.set')).toEqual([{ pin: '1234' }])
  act(() => bridge.change({ lock: { self: { on: true, locked: false } } }))
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Auto-lock' }), 'After 15 minutes')
  await user.click(screen.getByRole('button', { name: 'Lock' }))
  expect(bridge.inputsOf('settings.update')).toEqual([{ lockMinutes: 15 }])
  expect(bridge.inputsOf('lock.now').length).toBe(1)
})
