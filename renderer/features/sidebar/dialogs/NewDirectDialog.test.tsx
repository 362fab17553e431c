import { afterEach, expect, test } from 'vitest'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { aSession, aUser, byId, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { NewChannelDialog, NewDirectDialog } from './NewChannelDialog.tsx'

const ME = asUserId('ola')

async function ask(kind: 'local' | 'hosted', names: readonly string[] = []) {
  const others = names.map((name) => aUser({ id: asUserId(name.toLowerCase()), name }))
  const workspace = { kind, name: 'Team', demo: false, url: '' }
  const bridge = createFakeBridge({
    rows: {
      session: { self: { ...aSession(), userId: ME, workspace } },
      settings: { self: someSettings() },
      users: byId([aUser({ id: ME, name: 'Ola' }), ...others]),
    },
  })
  bridge.on('channels.people', () => [])
  bridge.on('session.addPerson', ({ name }: { name: string }) => {
    const person = aUser({ id: asUserId('eva-1234'), name })
    bridge.change({ users: byId([person]) })
    return { id: person.id, name }
  })
  bridge.on('channels.direct', () => asCid('messaging:new'))
  await renderInApp(<NewDirectDialog />, bridge)
  await waitFor(() => expect(bridge.inputsOf('channels.people')).not.toEqual([]))
  return bridge
}

const field = () => screen.queryByRole('textbox', { name: 'Add a person' })

afterEach(cleanup)

test('if there is no one to message, a person can be added and messaged', async () => {
  const bridge = await ask('local')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Add a person' }), 'Eva{Enter}')
  await screen.findByRole('button', { name: 'Remove Eva' })
  expect(bridge.inputsOf('channels.direct')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Open conversation' }))
  expect(bridge.inputsOf('channels.direct')).toEqual([{ userIds: ['eva-1234'] }])
})

test('if there are people to message, adding one is not offered', async () => {
  await ask('local', ['Priya'])
  await screen.findByRole('option', { name: /Priya/ })
  expect(field()).toBeNull()
})

test('on a hosted server people cannot be added here', async () => {
  await ask('hosted')
  await screen.findByText('No one else is in this workspace yet.')
  expect(field()).toBeNull()
})

test('a new channel keeps the id made from its name under more options, and validates a custom id while typing', async () => {
  const bridge = createFakeBridge({ rows: { session: { self: aSession() }, settings: { self: someSettings() } } })
  bridge.on('channels.people', () => [])
  bridge.on('channels.create', () => asCid('messaging:lunch'))
  const { store } = await renderInApp(<NewChannelDialog />, bridge)
  const idField = () => screen.queryByRole<HTMLInputElement>('textbox', { name: 'ID' })
  expect(idField()?.closest('details')?.open).toBe(false)
  await userEvent.click(screen.getByText('More options'))
  await userEvent.click(screen.getByRole('button', { name: 'Create channel' }))
  expect(screen.getByText('Type a name for the channel')).toBeDefined()
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Łódź Lunch')
  expect(idField()?.value).toMatch(/^lodz-lunch-[0-9a-f]{8}$/)
  await userEvent.clear(idField() as HTMLInputElement)
  await userEvent.type(idField() as HTMLInputElement, 'x', { initialSelectionStart: 0, initialSelectionEnd: 99 })
  await userEvent.type(idField() as HTMLInputElement, ':y')
  expect(screen.getByText('Invalid chat id x:y, letters, numbers and "!-_" are allowed')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Create channel' }))
  expect(bridge.inputsOf('channels.create')).toEqual([])
  await userEvent.type(idField() as HTMLInputElement, '{Backspace}{Backspace}_y')
  await userEvent.click(screen.getByRole('button', { name: 'Create channel' }))
  expect(bridge.inputsOf('channels.create')).toEqual([
    { name: 'Łódź Lunch', id: 'x_y', isPrivate: false, memberIds: [] },
  ])
  expect(store.getState().ui.route).toEqual({ view: 'channel', cid: 'messaging:lunch' })
})
