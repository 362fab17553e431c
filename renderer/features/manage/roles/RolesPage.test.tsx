import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { RoleTable, Standing } from '#shared/domain/manage/directory.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { GRANTABLE, grantsInForce } from '#shared/rules/channels/grants.ts'
import { aConnection, aUser, byId, createFakeBridge, type FakeBridge } from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { MemberRoleDialog } from './MemberRoleDialog.tsx'
import { RolesPage } from './RolesPage.tsx'

const aTable = (over: Partial<RoleTable> = {}): RoleTable => ({
  roles: [
    ...['user', 'admin', 'guest'].map((name) => ({ name, custom: false, scope: 'app' as const })),
    ...['owner', 'channel_moderator', 'channel_member'].map((name) => ({
      name,
      custom: false,
      scope: 'channel' as const,
    })),
    { name: 'trail-warden', custom: true, scope: 'both' },
  ],
  types: [
    { name: 'team', grants: { ...grantsInForce('team', undefined), 'trail-warden': ['read-channel'] }, off: ['polls'] },
    { name: 'messaging', grants: grantsInForce('messaging', undefined), off: [] },
  ],
  rights: GRANTABLE.map((name) => ({ name })),
  explains: true,
  ...over,
})

async function opened(table = aTable(), prepare: (bridge: FakeBridge) => void = () => undefined) {
  const manage = { rights: ['roles' as const], source: 'owner' as const, changes: {} }
  const bridge = createFakeBridge({
    rows: { users: byId([aUser({ id: 'bo', name: 'Bo' })]), manage: { self: manage } },
  })
  const held = { table }
  bridge.on('roles.list', () => held.table)
  prepare(bridge)
  const rendered = await renderInApp(<RolesPage />, bridge)
  const changed = async (next: RoleTable) => {
    held.table = next
    await act(async () => bridge.change({ manage: { self: { ...manage, changes: { roles: Math.random() } } } }))
  }
  await screen.findByRole('table', { name: 'Roles and permissions' })
  return { bridge, changed, ...rendered }
}

const box = (name: string) => screen.getByRole('checkbox', { name })

afterEach(cleanup)

test('the columns are the roles of the workspace and those of channels, with fewer rights first', async () => {
  await opened()
  const [, names] = screen.getAllByRole('row')
  expect(
    within(names ?? document.body)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Permission', 'Guest', 'User', 'Admin', 'Member', 'Moderator', 'Owner', 'trail-warden'])
  expect(screen.getByRole('columnheader', { name: 'Role in the workspace' }).getAttribute('colspan')).toBe('3')
})

test('the table is one tab stop; arrows move by cell, and Space changes a right', async () => {
  await opened()
  const cells = screen.getAllByRole('checkbox')
  expect(cells.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1)
  box('Read messages, Guest').focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowDown}')
  expect(document.activeElement).toBe(box('Join without an invitation, Member'))
  await userEvent.keyboard('{End}')
  expect(document.activeElement).toBe(box('Join without an invitation, trail-warden'))
  await userEvent.keyboard(' ')
  expect(document.activeElement).toBe(box('Join without an invitation, trail-warden, changed'))
  expect(box('Join without an invitation, trail-warden, changed').getAttribute('aria-checked')).toBe('true')
})

test('changes are summed up in words, saved as they are, or discarded', async () => {
  const { bridge } = await opened()
  fireEvent.click(box('Notify everyone with @channel, Member'))
  fireEvent.click(box('Delete anyone’s messages, trail-warden'))
  const sum = screen.getByText('2 changes.').parentElement
  expect(sum?.textContent).toContain('Member loses “Notify everyone with @channel”.')
  expect(sum?.textContent).toContain('trail-warden gets “Delete anyone’s messages”.')
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull())
  expect(bridge.inputsOf('roles.save')).toEqual([
    {
      type: 'team',
      changes: [
        { role: 'channel_member', right: 'notify-channel', on: false },
        { role: 'trail-warden', right: 'delete-any-message', on: true },
      ],
    },
  ])
  fireEvent.click(box('Search, Guest'))
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
  expect(box('Search, Guest').getAttribute('aria-checked')).toBe('false')
})

test('a change that was refused stays, and nothing is sent without a connection', async () => {
  const { bridge } = await opened(aTable(), (fake) =>
    fake.on('roles.save', () => {
      throw { code: 'server/not-allowed' } as unknown as Error
    }),
  )
  fireEvent.click(box('Search, Guest'))
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(bridge.inputsOf('roles.save')).toHaveLength(1))
  expect(box('Search, Guest, changed').getAttribute('aria-checked')).toBe('true')
  await act(async () => bridge.change({ connection: { self: aConnection({ state: 'unhealthy', offline: true }) } }))
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(bridge.inputsOf('roles.save')).toHaveLength(1)
})

test('when someone else changes rights meanwhile, a line says so and the own changes stay', async () => {
  const { changed } = await opened()
  fireEvent.click(box('Search, Guest'))
  const table = aTable()
  const [team, ...others] = table.types
  await changed({
    ...table,
    types: [{ name: 'team', off: [], ...team, grants: { ...team?.grants, guest: ['pin-message'] } }, ...others],
  })
  await screen.findByText(/Someone else changed permissions in the meantime/)
  expect(box('Search, Guest, changed').getAttribute('aria-checked')).toBe('true')
  expect(box('Pin messages, Guest').getAttribute('aria-checked')).toBe('true')
})

test('a right whose feature is off says so, and administrators keep what they need', async () => {
  const { bridge } = await opened()
  expect(box('Vote in polls, Member').getAttribute('aria-description')).toBe('“Polls” is off in this channel type.')
  const kept = box('Add and remove members, Admin')
  expect(kept.getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(kept)
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  expect(bridge.inputsOf('roles.save')).toEqual([])
})

test('a right is found by its words and by the name that programs use', async () => {
  await opened()
  const find = screen.getByRole('searchbox', { name: 'Find a permission' })
  fireEvent.change(find, { target: { value: 'ban-channel' } })
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['Moderate', 'Ban members'])
  fireEvent.change(find, { target: { value: 'nothing like it' } })
  expect(screen.getByText('No permissions match')).toBeTruthy()
})

test('a role is created from another one, and a wrong name is kept in the field with the reason', async () => {
  const { bridge } = await opened()
  fireEvent.click(screen.getByRole('button', { name: 'New role' }))
  const field = await screen.findByRole('textbox', { name: 'Name' })
  const create = screen.getByRole('button', { name: 'Create role' })
  fireEvent.change(field, { target: { value: 'not a name' } })
  fireEvent.click(create)
  expect(screen.getByRole('alert').textContent).toContain('Only letters')
  fireEvent.change(field, { target: { value: 'trail-warden' } })
  fireEvent.click(create)
  expect(screen.getByRole('alert').textContent).toContain('already')
  fireEvent.change(field, { target: { value: 'guide' } })
  fireEvent.click(create)
  await waitFor(() => expect(bridge.inputsOf('roles.create')).toEqual([{ name: 'guide', like: 'channel_member' }]))
})

test('what a person can’t do comes first, with the reason', async () => {
  const standing: Standing = {
    userId: asUserId('bo'),
    cid: asCid('team:trips'),
    appRole: 'user',
    channelRole: 'channel_moderator',
    isCreator: false,
    cooldown: 30,
    rights: [
      { right: 'send-message', can: true, by: 'channel-role', slow: true },
      { right: 'delete-channel', can: false, why: 'role' },
      { right: 'send-poll', can: false, why: 'feature' },
    ],
  }
  const { bridge } = await opened(aTable(), (fake) => {
    fake.on('roles.find', (input: { what: string }) =>
      input.what === 'people' ? [{ id: 'bo', name: 'Bo' }] : [{ id: 'team:trips', name: 'field-trips' }],
    )
    fake.on('roles.standing', () => standing)
  })
  fireEvent.click(screen.getByRole('button', { name: 'Check a person' }))
  for (const [opener, found] of [
    [/What can this person do/, 'Bo'],
    [/in this channel/, 'field-trips'],
  ] as const) {
    fireEvent.click(screen.getByRole('button', { name: opener }))
    await screen.findByRole('option', { name: found })
    fireEvent.keyDown(screen.getByRole('combobox', { name: opener }), { key: 'Enter' })
  }
  const cant = await screen.findByRole('region', { name: 'What they can’t do' })
  expect(
    within(cant)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Create polls“Polls” is off in this channel',
    'Delete the channelThe permission “Delete the channel” is missing',
  ])
  expect(screen.getByRole('region', { name: 'What they can do' }).textContent).toContain(
    'As Moderator of this channel. Slow mode: one message every 30 seconds',
  )
  expect(bridge.inputsOf('roles.standing')).toEqual([{ userId: 'bo', cid: 'team:trips' }])
})

test('a server whose rules are not known offers no such explanation, and shows its own names of rights', async () => {
  await opened(aTable({ explains: false, rights: [{ name: 'create-message', title: 'Create Message' }] }))
  expect(screen.queryByRole('button', { name: 'Check a person' })).toBeNull()
  expect(screen.getByRole('rowheader', { name: 'Create Message' })).toBeTruthy()
})

test('a member is given another role of the channel', async () => {
  const bridge = createFakeBridge({ rows: { users: byId([aUser({ id: 'bo', name: 'Bo' })]) } })
  bridge.on('channels.memberRoles', () => ['channel_member', 'channel_moderator', 'trail-warden'])
  await renderInApp(
    <MemberRoleDialog cid={asCid('team:trips')} userId={asUserId('bo')} {...{ role: 'channel_member' }} />,
    bridge,
  )
  fireEvent.click(await screen.findByRole('radio', { name: 'trail-warden' }))
  fireEvent.click(screen.getByRole('button', { name: 'Change role' }))
  await waitFor(() =>
    expect(bridge.inputsOf('channels.assignRole')).toEqual([{ cid: 'team:trips', userId: 'bo', role: 'trail-warden' }]),
  )
})
