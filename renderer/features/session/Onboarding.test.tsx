import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import type { Policies } from '#shared/domain/desktop/policies.ts'
import { openDestination } from '../../store/window/destination.ts'
import { Onboarding } from './Onboarding.tsx'

afterEach(cleanup)

/** The start page, with a name in the account of this device or without one. */
async function show(options: { readonly name?: string; readonly values?: Policies } = {}) {
  const { name = '', values = {} } = options
  const managed = { sources: [], values, origins: {}, unknown: [], refused: [] }
  const bridge = createFakeBridge({ host: { managed }, rows: { session: { self: { state: 'signed-out' } } } })
  bridge.on('session.systemName', () => name)
  bridge.on('session.leftWorkspaces', () => [])
  const { store } = await renderInApp(<Onboarding />, bridge)
  const field = await screen.findByLabelText<HTMLInputElement>('Your name')
  return { bridge, field, store }
}

test('the name of the account on this device is filled in; Enter opens the demo under it', async () => {
  const { bridge, field } = await show({ name: 'Lena Hoffmann' })
  await waitFor(() => expect(field.value).toBe('Lena Hoffmann'))
  expect(document.activeElement).toBe(field)
  expect(field.autocomplete).toBe('name')
  await userEvent.type(field, '{Enter}')
  expect(bridge.inputsOf('session.openDemo')).toEqual([{ name: 'Lena Hoffmann' }])
})

test('without a name the doors stay closed, and the field says so', async () => {
  const { bridge, field } = await show()
  await userEvent.click(screen.getByRole('button', { name: /Try the demo/ }))
  expect(screen.getByRole('alert').textContent).toBe('Enter your name to continue.')
  expect(document.activeElement).toBe(field)
  expect(field.getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id)
  await userEvent.click(screen.getByRole('button', { name: /Create a workspace/ }))
  expect(screen.queryByLabelText('Workspace name')).toBeNull()
  expect(bridge.inputsOf('session.openDemo')).toEqual([])
  await userEvent.type(field, 'A')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a workspace needs a name and nothing else', async () => {
  const { bridge, field } = await show()
  await userEvent.type(field, 'Ada')
  await userEvent.click(screen.getByRole('button', { name: /Create a workspace/ }))
  await userEvent.type(screen.getByLabelText('Workspace name'), 'Studio{Enter}')
  expect(bridge.inputsOf('session.createWorkspace')).toEqual([{ name: 'Studio', yourName: 'Ada' }])
})

test('where the administrator allows no workspaces, the doors to them say so and do nothing', async () => {
  const { bridge, field } = await show({ name: 'Ada', values: { AllowLocalServer: false } })
  await waitFor(() => expect(field.value).toBe('Ada'))
  const doors = screen.getAllByRole('button', { name: /Your administrator doesn’t allow workspaces/ })
  expect(doors.map((door) => door.getAttribute('aria-disabled'))).toEqual(['true', 'true'])
  await userEvent.type(field, '{Enter}')
  for (const door of doors) await userEvent.click(door)
  expect(bridge.inputsOf('session.openDemo')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: /Join or connect/ }))
  expect(screen.getByRole('button', { name: /I have a workspace file/ }).textContent).toMatch(/doesn’t allow/)
  await userEvent.click(screen.getByRole('button', { name: /My team runs a server/ }))
  expect(screen.getByLabelText('Server address')).toBeDefined()
})

test('while the demo opens no other door does; a refusal is said, and the door opens again', async () => {
  const { bridge, field } = await show()
  let refuse: (error: unknown) => void = () => {}
  bridge.on('session.openDemo', () => new Promise((_resolve, reject) => (refuse = reject)))
  await userEvent.type(field, 'Ada{Enter}')
  expect(screen.getByRole('button', { name: /Opening the demo/ }).getAttribute('aria-busy')).toBe('true')
  expect(screen.getByRole('button', { name: /Join or connect/ }).getAttribute('aria-disabled')).toBe('true')
  refuse({ code: 'disk/full' })
  await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/disk/i))
  expect(screen.getByRole('button', { name: /Try the demo/ })).toBeDefined()
})

test('the start has three doors, each with what it means; the third leads to three more, the first of them in use', async () => {
  await show()
  const doors = () => screen.getAllByRole('button', { name: /[.]$/ }).map((door) => door.textContent)
  expect(doors()).toEqual([
    'Try the demoLook around an invented team. Nothing you write leaves this device.',
    'Create a workspaceA place of your own on this device. Invite your team whenever you like.',
    'Join or connectYou have an invitation, or your team runs a server.',
  ])
  await userEvent.click(screen.getByRole('button', { name: /Join or connect/ }))
  expect(doors()).toEqual([
    'I have an invitationPaste a link or type a code.',
    'My team runs a serverYou need its address and your sign-in.',
    'I have a workspace fileContinue with a workspace that you moved from another device.',
  ])
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /I have an invitation/ }))
})

test('an invitation that is opened leads to its form, filled in, with no account to go back to', async () => {
  const { store } = await show({ name: 'Ada' })
  const open = (text: string) =>
    act(() => openDestination(store.dispatch, { type: 'link', link: { route: 'join', text } }))
  open('parlor://join/one')
  const field = await screen.findByLabelText<HTMLInputElement>('Link or code')
  expect(field.value).toBe('parlor://join/one')
  open('parlor://join/two')
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Link or code').value).toBe('parlor://join/two'))
  await userEvent.click(screen.getByRole('button', { name: 'Back' }))
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Join or connect')
  await userEvent.click(screen.getByRole('button', { name: 'Back' }))
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome to Parlor')
  expect(screen.getByLabelText<HTMLInputElement>('Your name').value).toBe('Ada')
})
