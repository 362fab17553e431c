import { afterEach, expect, test } from 'vitest'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { UserGroup } from '#shared/domain/manage/directory.ts'
import { MANAGE_RIGHTS } from '#shared/domain/manage/manage.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { aConnection, aSession, aUser, byId, createFakeBridge } from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { GroupsPage } from './GroupsPage.tsx'

afterEach(cleanup)

const crew: UserGroup = {
  id: 'crew',
  name: 'Crew',
  description: 'Who hikes',
  members: [
    { userId: asUserId('timur'), admin: false },
    { userId: asUserId('ewa'), admin: true },
  ],
}

function scene(groups: readonly UserGroup[] = [crew]) {
  const users = byId(['ola', 'timur', 'ewa', 'hana'].map((id) => aUser({ id, name: `${id} name` })))
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      users,
      connection: { self: aConnection() },
      manage: { self: { rights: [...MANAGE_RIGHTS], source: 'owner', changes: {} } },
    },
  })
  bridge.on('groups.list', () => ({ groups }))
  return bridge
}
const refused = (code: string) => () => {
  throw new AppError(code)
}

test('groups are listed with their members, and opened', async () => {
  await renderInApp(<GroupsPage />, scene())
  const row = await screen.findByRole('row', { name: /Crew/ })
  expect(within(row).getByText('2')).toBeTruthy()
  await userEvent.click(row)
  const panel = screen.getByRole('region', { name: 'Group' })
  expect(
    within(panel)
      .getAllByRole('listitem')
      .map((each) => each.textContent),
  ).toEqual([expect.stringContaining('ewa name'), expect.stringContaining('timur name')])
  expect(
    within(panel).getByRole<HTMLInputElement>('checkbox', { name: 'ewa name is an admin of the group' }).checked,
  ).toBe(true)
})

test('Escape closes the panel, and the focus returns to its row', async () => {
  await renderInApp(<GroupsPage />, scene())
  const user = userEvent.setup()
  await user.click(await screen.findByRole('row', { name: /Crew/ }))
  await user.click(screen.getByRole('checkbox', { name: 'timur name is an admin of the group' }))
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('region', { name: 'Group' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('row', { name: /Crew/ }))
})

test('members are made admins and removed, the group is renamed, and a refusal is said', async () => {
  const bridge = scene()
  bridge.on('groups.addMembers', () => crew)
  bridge.on('groups.change', () => crew)
  bridge.on('groups.removeMembers', refused('server/not-allowed'))
  await renderInApp(<GroupsPage id="crew" />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('checkbox', { name: 'timur name is an admin of the group' }))
  await waitFor(() =>
    expect(bridge.inputsOf('groups.addMembers')).toEqual([{ id: 'crew', memberIds: ['timur'], admin: true }]),
  )
  await user.click(screen.getByRole('button', { name: 'Change name' }))
  await user.clear(screen.getByRole('textbox', { name: 'Name' }))
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Hikers{Enter}')
  await waitFor(() => expect(bridge.inputsOf('groups.change')).toEqual([{ id: 'crew', name: 'Hikers' }]))
  await user.click(screen.getByRole('button', { name: 'Remove ewa name from the group' }))
  expect(await screen.findByRole('alert')).toBeTruthy()
})

test('people are added by name', async () => {
  const bridge = scene()
  bridge.on('groups.addMembers', () => crew)
  await renderInApp(<GroupsPage id="crew" />, bridge)
  const user = userEvent.setup()
  await user.type(await screen.findByRole('combobox', { name: 'Add people' }), 'hana{Enter}')
  await user.click(screen.getByRole('button', { name: 'Add 1 person' }))
  await waitFor(() =>
    expect(bridge.inputsOf('groups.addMembers')).toEqual([{ id: 'crew', memberIds: ['hana'], admin: false }]),
  )
})

test('a group is created with what was typed, which stays when the server refuses it', async () => {
  const bridge = scene([])
  bridge.on('groups.create', refused('groups/taken'))
  await renderInApp(<GroupsPage />, bridge)
  const user = userEvent.setup()
  expect(await screen.findByText('No groups yet')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Create group' }))
  const dialog = screen.getByRole('dialog', { name: 'Create group' })
  await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Crew')
  await user.click(within(dialog).getByRole('button', { name: 'Create group' }))
  expect((await within(dialog).findByRole('alert')).textContent).toMatch(/already exists/)
  expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Crew')
  bridge.on('groups.create', () => crew)
  await user.click(within(dialog).getByRole('button', { name: 'Create group' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a group is deleted after a question', async () => {
  const bridge = scene()
  bridge.on('groups.remove', () => undefined)
  await renderInApp(<GroupsPage id="crew" />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Delete group…' }))
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete group' }))
  await waitFor(() => expect(bridge.inputsOf('groups.remove')).toEqual([{ id: 'crew' }]))
})
