import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { DirectoryPerson, PersonDevice } from '#shared/domain/manage/directory.ts'
import type { ManageRight, ManageSource } from '#shared/domain/manage/manage.ts'
import { MANAGE_RIGHTS } from '#shared/domain/manage/manage.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asUserId } from '#shared/lib/brand.ts'
import {
  aConnection,
  aDirectoryPerson,
  aSession,
  aUser,
  byId,
  createFakeBridge,
  NOON,
  type FakeBridge,
} from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { wentBack } from '../../../store/window/ui.ts'
import {
  ChangeRoleDialog,
  DeactivateDialog,
  DeleteDialog,
  IssueTokenDialog,
  SignOutPersonDialog,
} from './PeopleDialogs.tsx'
import { AddToDirectory } from './AddToDirectory.tsx'
import { DirectoryPage, type DirectoryList } from './DirectoryPage.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

const timur = aDirectoryPerson({
  id: 'timur',
  name: 'Тимур Ахметов',
  role: 'moderator',
  teams: ['Almaty', 'QA'],
  language: 'ru',
  createdAt: NOON,
  fields: { region: 'Алматы', n: 7 },
})
const piotr = aDirectoryPerson({ id: 'piotr', name: 'Piotr Bąk', deactivatedAt: NOON })
const ids = (...names: string[]) => names.map(asUserId)

type Scene = {
  readonly people?: readonly DirectoryPerson[]
  readonly more?: boolean
  readonly source?: ManageSource
  readonly devices?: readonly PersonDevice[]
  readonly offline?: boolean
  readonly rights?: readonly ManageRight[]
}

function scene(given: Scene = {}) {
  const { people = [timur, piotr], more = false, source = 'owner', devices = [], offline = false } = given
  const { rights = [...MANAGE_RIGHTS] } = given
  const session = aSession()
  const users = byId([
    aUser({ id: session.userId ?? 'ola', name: 'Ola', role: 'admin' }),
    ...people.map(({ id, name, role }) => aUser({ id, name, role, online: false })),
  ])
  const manage = { self: { rights, source, changes: {} } }
  const connection = { self: aConnection(offline ? { state: 'unhealthy', offline: true } : {}) }
  const bridge = createFakeBridge({ rows: { session: { self: session }, users, manage, connection } })
  bridge.on('directory.list', () => ({ people, more }))
  bridge.on('directory.roles', () => ['user', 'admin', 'moderator', 'guest', 'hut-keeper'])
  bridge.on('directory.person', ({ userId }: { userId: string }) => ({
    person: people.find(({ id }) => id === userId) ?? timur,
    devices,
  }))
  return bridge
}
const refused = (code: string) => () => {
  throw new AppError(code)
}
const lastQuery = (bridge: FakeBridge) => bridge.inputsOf('directory.list').at(-1)

test('everyone is listed with role and teams, and what is wrong in place of the id', async () => {
  await renderInApp(<DirectoryPage />, scene())
  const row = await screen.findByRole('row', { name: /Тимур/ })
  expect(within(row).getByText('Moderator')).toBeTruthy()
  expect(within(row).getByText('Almaty')).toBeTruthy()
  expect(within(row).getByText('timur')).toBeTruthy()
  const other = screen.getByRole('row', { name: /Piotr/ })
  expect(within(other).getByText(/^Deactivated/)).toBeTruthy()
  expect(screen.getByText('2 people')).toBeTruthy()
})

test('where the server has more, the number is of those that are loaded', async () => {
  await renderInApp(<DirectoryPage />, scene({ more: true }))
  expect(await screen.findByText('2 loaded')).toBeTruthy()
})

test('typing asks once it pauses; filters and columns ask at once', async () => {
  const bridge = scene()
  await renderInApp(<DirectoryPage />, bridge)
  const user = userEvent.setup()
  await user.type(await screen.findByRole('searchbox', { name: 'Find a person' }), 'tim')
  await waitFor(() => expect(lastQuery(bridge)).toMatchObject({ find: 'tim' }))
  expect(bridge.inputsOf('directory.list').length).toBeLessThan(4)
  const pill = (name: string) =>
    screen.getAllByRole('button', { name }).find((each) => each.getAttribute('aria-haspopup') === 'menu')
  await user.click(pill('Role') ?? document.body)
  await user.click(await screen.findByRole('menuitem', { name: 'hut-keeper' }))
  await waitFor(() => expect(lastQuery(bridge)).toMatchObject({ roles: ['hut-keeper'] }))
  await user.click(screen.getByRole('button', { name: /^Status/ }))
  await user.click(screen.getByRole('menuitem', { name: 'Deleted' }))
  await waitFor(() => expect(lastQuery(bridge)).toMatchObject({ state: 'deleted' }))
  await user.click(pill('Last active') ?? document.body)
  await user.click(screen.getByRole('menuitem', { name: 'Inactive for 90 days' }))
  await waitFor(() => expect(lastQuery(bridge)).toHaveProperty('activeBefore'))
  await user.click(within(screen.getByRole('table')).getByRole('button', { name: 'Role' }))
  await waitFor(() => expect(lastQuery(bridge)).toMatchObject({ sort: { by: 'role', direction: 1 } }))
  await user.click(screen.getByRole('button', { name: 'Remove the filter Role' }))
  await waitFor(() => expect(lastQuery(bridge)).toMatchObject({ roles: [] }))
})

test('a server elsewhere has no list of deleted people, and issues no tokens here', async () => {
  await renderInApp(<DirectoryPage id="timur" />, scene({ source: 'secret' }))
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: /^Status/ }))
  expect(screen.queryByRole('menuitem', { name: 'Deleted' })).toBeNull()
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('button', { name: 'Sign out everywhere…' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Issue a token…' })).toBeNull()
})

test('columns are chosen, with custom fields, and stay for the workspace', async () => {
  const { unmount } = await renderInApp(<DirectoryPage />, scene())
  const user = userEvent.setup()
  await screen.findByRole('row', { name: /Тимур/ })
  await user.click(screen.getByRole('button', { name: 'Columns' }))
  for (const name of ['Role', 'Teams', 'Last active', 'region']) {
    await user.click(screen.getByRole('checkbox', { name }))
  }
  await user.click(screen.getByRole('button', { name: 'Move region earlier' }))
  expect(screen.getByRole('columnheader', { name: 'region' })).toBeTruthy()
  expect(screen.getByText('Алматы')).toBeTruthy()
  expect(screen.getAllByRole('columnheader').map((each) => each.textContent)).toEqual([
    '',
    'Name',
    'region',
    'Language',
  ])
  unmount()
  await renderInApp(<DirectoryPage />, scene())
  expect(await screen.findByRole('columnheader', { name: 'region' })).toBeTruthy()
})

test('nobody matches, loading fails, no connection: each is said', async () => {
  const bridge = scene({ people: [] })
  await renderInApp(<DirectoryPage />, bridge)
  expect(await screen.findByText('No people yet')).toBeTruthy()
  await userEvent.type(screen.getByRole('searchbox', { name: 'Find a person' }), 'x')
  expect(await screen.findByText('No one matches')).toBeTruthy()
  cleanup()
  const failing = scene()
  failing.on('directory.list', refused('server/not-allowed'))
  await renderInApp(<DirectoryPage />, failing)
  expect(await screen.findByText('Couldn’t load the list')).toBeTruthy()
  cleanup()
  const offline = scene({ offline: true })
  offline.on('directory.list', refused('network/offline'))
  await renderInApp(<DirectoryPage />, offline)
  expect(await screen.findByText('You’re offline')).toBeTruthy()
})

test('a row opens the person: the role is changed in place, and a refusal is shown there', async () => {
  const devices = [
    { provider: 'firebase', addedAt: NOON },
    { provider: 'apn', disabled: { reason: 'the device didn’t answer' } },
  ]
  const bridge = scene({ devices })
  bridge.on('directory.change', refused('server/not-allowed'))
  await renderInApp(<DirectoryPage />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('row', { name: /Тимур/ }))
  const panel = await screen.findByRole('region', { name: 'Person' })
  expect(await within(panel).findByText('Android')).toBeTruthy()
  expect(within(panel).getByText('Push off: the device didn’t answer')).toBeTruthy()
  await user.selectOptions(within(panel).getByRole('combobox', { name: 'Role' }), 'hut-keeper')
  expect(await within(panel).findByRole('alert')).toBeTruthy()
  expect(bridge.inputsOf('directory.change')).toEqual([{ userId: 'timur', role: 'hut-keeper' }])
  bridge.on('directory.change', () => timur)
  await user.click(within(panel).getByRole('button', { name: 'Change teams' }))
  const field = within(panel).getByRole('textbox', { name: 'Teams' })
  await user.clear(field)
  await user.type(field, 'Kraków, , QA{Enter}')
  await waitFor(() =>
    expect(bridge.inputsOf('directory.change').at(-1)).toEqual({ userId: 'timur', teams: ['Kraków', 'QA'] }),
  )
  expect(document.activeElement).toBe(within(panel).getByRole('button', { name: 'Change teams' }))
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('region', { name: 'Person' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('row', { name: /Тимур/ }))
})

test('custom fields keep their kind; a name that the contract uses is refused before anything is sent', async () => {
  const bridge = scene()
  bridge.on('directory.change', () => timur)
  await renderInApp(<DirectoryPage id="timur" />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Edit fields' }))
  const [n, region] = screen.getAllByRole('textbox', { name: 'Value' })
  if (!n || !region) throw new Error('two fields')
  await user.clear(n)
  await user.type(n, '8')
  await user.click(screen.getByRole('button', { name: 'Remove field region' }))
  await user.click(screen.getByRole('button', { name: 'Add field' }))
  const name = screen.getAllByRole('textbox', { name: 'Field' }).at(-1)
  if (!name) throw new Error('a new field')
  await user.type(name, 'role')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getByRole('alert').textContent).toMatch(/A field name starts with a letter/)
  expect(bridge.inputsOf('directory.change')).toEqual([])
  await user.clear(name)
  await user.type(name, 'hut')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(bridge.inputsOf('directory.change')).toEqual([
      { userId: 'timur', fields: { n: 8, hut: '' }, removeFields: ['region'] },
    ]),
  )
})

test('what is typed into custom fields stays when the person changes, and a field added elsewhere is not removed', async () => {
  const bridge = scene()
  bridge.on('directory.change', () => timur)
  await renderInApp(<DirectoryPage id="timur" />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Edit fields' }))
  const [n] = screen.getAllByRole<HTMLInputElement>('textbox', { name: 'Value' })
  if (!n) throw new Error('a field')
  expect(document.activeElement).toBe(n)
  await user.type(n, '8')
  const person = { ...timur, name: 'Тимур А.', fields: { ...timur.fields, added: 'x' }, updatedAt: NOON + 1 }
  bridge.on('directory.person', () => ({ person, devices: [] }))
  act(() =>
    bridge.change({ manage: { self: { rights: [...MANAGE_RIGHTS], source: 'owner', changes: { people: 1 } } } }),
  )
  const panel = within(screen.getByRole('region', { name: 'Person' }))
  expect(await panel.findByText('Тимур А.')).toBeTruthy()
  expect(n.isConnected && n.value).toBe('78')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(bridge.inputsOf('directory.change')).toEqual([{ userId: 'timur', fields: { n: 78 }, removeFields: [] }]),
  )
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit fields' })))
})

test('several are selected and a role is asked for; only what applies to them is offered', async () => {
  const { store } = await renderInApp(<DirectoryPage />, scene())
  const user = userEvent.setup()
  await user.click(await screen.findByRole('checkbox', { name: 'Select Piotr Bąk' }))
  const bar = screen.getByRole('toolbar')
  expect(within(bar).queryByRole('button', { name: 'Change role…' })).toBeNull()
  expect(within(bar).getByRole('button', { name: 'Reactivate…' })).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'Select everyone who is loaded' }))
  await user.click(within(bar).getByRole('button', { name: 'Change role…' }))
  expect(store.getState().ui.dialog).toEqual({ kind: 'change-role', userIds: ['timur'] })
})

test('a person’s data is written to a file, whose place is said', async () => {
  const bridge = scene()
  bridge.on('data.exportPerson', () => ({ saved: { fileName: 'timur.json', folderName: 'Downloads', messages: 3 } }))
  await renderInApp(<DirectoryPage id="timur" />, bridge)
  await userEvent.click(await screen.findByRole('button', { name: 'Export data…' }))
  expect(await screen.findByText('Exported 3 messages: timur.json in Downloads')).toBeTruthy()
})

test('a person is created with what was typed, which stays when the server refuses it', async () => {
  const bridge = scene()
  bridge.on('directory.create', refused('people/taken'))
  const { store } = await renderInApp(<AddToDirectory />, bridge)
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Add person' }))
  expect(screen.getByRole('alert').textContent).toBe('Type a name that others will see.')
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Eva')
  await user.type(screen.getByRole('textbox', { name: /^User ID/ }), 'e v a')
  await user.click(screen.getByRole('button', { name: 'Add person' }))
  expect(screen.getByRole('alert').textContent).toMatch(/characters that aren’t allowed/)
  await user.clear(screen.getByRole('textbox', { name: /^User ID/ }))
  await user.type(screen.getByRole('textbox', { name: /^User ID/ }), 'eva')
  await user.click(screen.getByRole('button', { name: 'Add person' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/already exists/)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Eva')
  bridge.on('directory.create', () => ({ userId: 'eva' }))
  await user.click(screen.getByRole('button', { name: 'Add person' }))
  await waitFor(() => expect(store.getState().ui.route).toEqual({ view: 'manage', page: 'people', id: 'eva' }))
  expect(bridge.inputsOf('directory.create').at(-1)).toEqual({
    name: 'Eva',
    id: 'eva',
    role: 'user',
    teams: [],
    join: true,
  })
})

test('a deactivation says what becomes of messages, and for whom it was not done', async () => {
  const bridge = scene()
  bridge.on('directory.deactivate', () => ({ refused: [{ userId: 'timur', code: 'people/yourself' }] }))
  await renderInApp(<DeactivateDialog userIds={ids('timur', 'piotr')} />, bridge)
  expect(screen.getByRole('dialog', { name: 'Deactivate 2 people?' })).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: /^Delete the messages/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Deactivate' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Couldn’t do this for Тимур Ахметов. You can’t do this to yourself.',
  )
  expect(bridge.inputsOf('directory.deactivate')).toEqual([{ userIds: ['timur', 'piotr'], deleteMessages: true }])
})

test('a deletion asks about profile, messages, conversations and channels, and warns of what is for good', async () => {
  const bridge = scene()
  bridge.on('directory.remove', () => ({ refused: [], running: false }))
  const { store } = await renderInApp(<DeleteDialog userIds={ids('timur')} />, bridge)
  const user = userEvent.setup()
  expect(screen.getByText('They’ll be signed out. You can restore the profile later.')).toBeTruthy()
  await user.click(
    within(screen.getByRole('group', { name: 'Their messages' })).getByRole('radio', {
      name: 'Delete the messages permanently',
    }),
  )
  expect(screen.getByText(/No one can restore what’s deleted permanently/)).toBeTruthy()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Channels they created belong to' }), 'me')
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(store.getState().ui.dialog).toBeUndefined())
  expect(bridge.inputsOf('directory.remove')).toEqual([
    { userIds: ['timur'], user: 'soft', messages: 'hard', newOwnerId: aSession().userId },
  ])
})

test('channels are not left without the new owner that is still to be chosen', async () => {
  const bridge = scene()
  await renderInApp(<DeleteDialog userIds={ids('timur')} />, bridge)
  const user = userEvent.setup()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Channels they created belong to' }), 'other')
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(screen.getByRole('alert').textContent).toBe('Choose the new owner of the channels.')
  expect(bridge.inputsOf('directory.remove')).toEqual([])
})

test('a role is given to several, and nothing is sent without a connection', async () => {
  const bridge = scene({ offline: true })
  await renderInApp(<ChangeRoleDialog userIds={ids('timur', 'piotr')} />, bridge)
  await userEvent.click(screen.getByRole('button', { name: 'Change role' }))
  expect(bridge.inputsOf('directory.changeRole')).toEqual([])
  expect(screen.getByText('You’re offline')).toBeTruthy()
})

test('a token is shown once, with a button to copy it, and is in no state of the window', async () => {
  const bridge = scene()
  const TOKEN = 'eyJ.one.time'
  bridge.on('directory.issueToken', () => ({ token: TOKEN, url: 'http://127.0.0.1:1', apiKey: 'k', expiresAt: NOON }))
  const writeText = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const { store, unmount } = await renderInApp(<IssueTokenDialog userId={asUserId('timur')} />, bridge)
  const user = userEvent.setup()
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText)
  await user.selectOptions(screen.getByRole('combobox', { name: 'Expires after' }), 'day')
  await user.click(screen.getByRole('button', { name: 'Issue token' }))
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Token' })
  expect(field.value).toBe(TOKEN)
  expect(bridge.inputsOf('directory.issueToken')).toEqual([{ userId: 'timur', forMs: 86_400_000 }])
  await user.click(screen.getByRole('button', { name: 'Copy: Token' }))
  expect(writeText).toHaveBeenCalledWith(TOKEN)
  expect(JSON.stringify([store.getState(), Object.entries(localStorage)])).not.toContain(TOKEN)
  unmount()
  expect(document.body.innerHTML).not.toContain(TOKEN)
})

test('the end of a token is a date that fits into the sentence in Russian', async () => {
  const bridge = scene()
  bridge.on('directory.issueToken', () => ({ token: 't', url: 'http://127.0.0.1:1', apiKey: 'k', expiresAt: NOON }))
  await renderInApp(<IssueTokenDialog userId={asUserId('timur')} />, bridge, 'ru')
  await userEvent.setup().click(screen.getByRole('button', { name: 'Выпустить токен' }))
  expect(await screen.findByText(/Он действует до \d\d\.\d\d\.\d{4} и/)).toBeTruthy()
})

test('signing out everywhere is asked first, and a refusal is said', async () => {
  const bridge = scene()
  bridge.on('directory.signOut', refused('server/not-allowed'))
  await renderInApp(<SignOutPersonDialog userId={asUserId('timur')} />, bridge)
  await userEvent.click(screen.getByRole('button', { name: 'Sign out everywhere' }))
  expect(await screen.findByRole('alert')).toBeTruthy()
  await act(() => Promise.resolve())
  expect(bridge.inputsOf('directory.signOut')).toEqual([{ userId: 'timur' }])
})

test('from a person one gets to their history, bans, rights and messages, and back to their row', async () => {
  const user = userEvent.setup()
  const { store, unmount } = await renderInApp(<DirectoryPage id="timur" />, scene())
  await user.type(await screen.findByRole('searchbox', { name: 'Find a person' }), 'т')
  const route = () => store.getState().ui.route
  const pages = {
    'History of actions': 'history',
    Bans: 'bans',
    'Effective permissions in a channel you choose': 'roles',
  }
  for (const [name, page] of Object.entries(pages)) {
    await user.click(await screen.findByRole('button', { name }))
    expect(route()).toEqual({ view: 'manage', page, id: 'timur' })
    act(() => void store.dispatch(wentBack()))
    expect(route()).toMatchObject({ view: 'manage', page: 'people', id: 'timur', list: { find: 'т', count: 2 } })
  }
  await user.click(screen.getByRole('button', { name: 'Messages' }))
  expect(store.getState().ui.search).toMatchObject({ chips: ['from:timur'], tab: 'messages' })
  act(() => void store.dispatch(wentBack()))
  const { list } = route() as { readonly list?: DirectoryList }
  unmount()
  await renderInApp(<DirectoryPage id="timur" list={list} />, scene())
  await waitFor(() => expect(document.activeElement?.getAttribute('data-roving-id')).toBe('timur'))
  expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Find a person' }).value).toBe('т')
})

test('links to pages that the viewer has no right for are not offered', async () => {
  await renderInApp(<DirectoryPage id="timur" />, scene({ source: 'secret', rights: ['people'] }))
  expect(await screen.findByRole('button', { name: 'Messages' })).toBeTruthy()
  for (const name of [/^Effective permissions/, 'Bans', 'History of actions']) {
    expect(screen.queryByRole('button', { name })).toBeNull()
  }
})

test('where the server lists no further people, the count says how to find the others', async () => {
  const bridge = scene()
  bridge.on('directory.list', () => ({ people: [timur, piotr], more: false, cut: true }))
  await renderInApp(<DirectoryPage />, bridge)
  expect(await screen.findByText('First 2 people. Search or filter to find others.')).toBeTruthy()
})
