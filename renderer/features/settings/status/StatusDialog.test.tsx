import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { aConnection, addLittleEngine, cairnMaps, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { StatusDialog, statusParts } from './StatusDialog.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

async function show() {
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  await renderInApp(<StatusDialog />, bridge)
  return { bridge, field: await screen.findByRole('textbox', { name: 'Status' }) }
}

const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))

test.each([
  ['🔍 Reviewing RC2', { emoji: '🔍', text: 'Reviewing RC2' }],
  ['👩🏽‍💻 At work', { emoji: '👩🏽‍💻', text: 'At work' }],
  [':trail: Out', { emoji: ':trail:', text: 'Out' }],
  ['Lunch 🍲', { emoji: '', text: 'Lunch 🍲' }],
  ['5 minutes', { emoji: '', text: '5 minutes' }],
])('“%s” is an emoji and a text', (status, parts) => {
  expect(statusParts(status)).toEqual(parts)
})

test('a status is saved with its emoji and offered the next time', async () => {
  localStorage.setItem('unrelated', '1')
  const { bridge, field } = await show()
  await userEvent.clear(field)
  await userEvent.type(field, 'Focus time')
  await press('Save')
  expect(bridge.inputsOf('people.changeProfile')).toMatchObject([{ statusText: expect.stringContaining('Focus time') }])
  cleanup()
  await show()
  await press(/^(.*)Focus time/)
  expect(screen.getByRole('textbox', { name: 'Status' })).toHaveProperty('value', 'Focus time')
})

test('when it is not saved the text stays, with the reason', async () => {
  const { bridge, field } = await show()
  bridge.on('people.changeProfile', () => {
    throw new AppError('server/not-allowed')
  })
  await userEvent.clear(field)
  await userEvent.type(field, 'Focus time')
  await press('Save')
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  expect(field).toHaveProperty('value', 'Focus time')
})

test('notifications pause until the status ends, where that is wished', async () => {
  const { bridge } = await show()
  await userEvent.click(screen.getByRole('switch', { name: 'Pause notifications' }))
  await press('Save')
  const [sent] = bridge.inputsOf('settings.update') as { notifications: { pausedUntil: number } }[]
  expect(sent?.notifications.pausedUntil).toBeGreaterThan(Date.now())
})

test('without a connection nothing is saved, and the dialog says why', async () => {
  const { bridge } = await show()
  act(() => bridge.change({ connection: { self: aConnection({ state: 'unhealthy', offline: true }) } }))
  await press('Save')
  expect(bridge.inputsOf('people.changeProfile')).toEqual([])
  expect(screen.getByText(/^You’re offline\./)).toBeDefined()
})
