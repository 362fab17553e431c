import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { HistoryEntry } from '#shared/domain/manage/review.ts'
import type { ManageRight } from '#shared/domain/manage/manage.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import {
  aChannel,
  aConnection,
  aSession,
  aUser,
  byCid,
  byId,
  createFakeBridge,
} from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { HistoryPage } from './HistoryPage.tsx'

const NOW = Date.now()
const DAY = 86_400_000
let made = 0
const anEntry = (over: Partial<HistoryEntry> = {}): HistoryEntry => ({
  id: String((made += 1)),
  at: NOW - made * 1_000,
  action: 'user.ban',
  byId: asUserId('ewa'),
  changes: [],
  ...over,
})
const GEAR = { cid: asCid('team:gear'), channelName: 'gear' }

async function opened(entries: readonly HistoryEntry[], rights: readonly ManageRight[] = ['history', 'ban', 'people']) {
  const users = [
    aUser({ id: 'ewa', name: 'Ewa' }),
    aUser({ id: 'kir', name: 'Кирилл' }),
    aUser({ id: 'me', name: 'Me' }),
  ]
  const bridge = createFakeBridge({
    rows: {
      users: byId(users),
      channels: byCid([aChannel({ cid: asCid('team:gear'), name: 'gear' })]),
      session: { self: aSession({ userId: 'me' }) },
      manage: { self: { rights, source: 'owner', changes: {} } },
    },
  })
  bridge.on('history.list', () => ({ entries, since: NOW - DAY, keptDays: 730 }))
  const rendered = await renderInApp(<HistoryPage />, bridge)
  if (entries.length > 0) await screen.findByRole('list', { name: 'Actions' })
  return { bridge, ...rendered }
}

/** Without the time and the initial in the portrait. */
const sentences = () =>
  within(screen.getByRole('list', { name: 'Actions' }))
    .getAllByRole('button', { name: /\d:\d\d/ })
    .map(({ textContent }) => textContent.replaceAll(/\s+/g, ' ').replace(/^.*?[AP]M(?:[A-Z](?=Ewa|You))?/, ''))

afterEach(cleanup)

test('each entry is a sentence: who, what, whom and where, and below it why or from what to what', async () => {
  const kir = asUserId('kir')
  await opened([
    anEntry({ action: 'message.delete', targetId: kir, ...GEAR, how: 'soft' }),
    anEntry({ targetId: kir, reason: 'Links to a shop', seconds: 86_400 }),
    anEntry({ action: 'user.ban_ended', byId: undefined, targetId: kir, ...GEAR }),
    anEntry({
      action: 'member.role',
      byId: asUserId('me'),
      targetId: kir,
      ...GEAR,
      changes: [{ field: 'role', from: 'channel_member', to: 'channel_moderator' }],
    }),
    anEntry({
      action: 'channel_type.update',
      byId: undefined,
      subject: 'team',
      changes: [
        { field: 'grants.channel_member', from: 'send-message' },
        { field: 'reactions', from: 'true', to: 'false' },
      ],
    }),
    anEntry({ action: 'something.new' }),
  ])
  expect(sentences()).toEqual([
    'Ewa deleted a message of Кирилл in #gearA moderator can restore it',
    'Ewa banned Кирилл everywherefor 1 day · “Links to a shop”',
    ' Ban ended for Кирилл in #gear',
    'You changed the role of Кирилл in #gearMember → Moderator',
    'A program changed the channel type “team” Member loses “Send messages” · and 1 more change',
    'Ewa something.new ',
  ])
})

test('a second line that is too long for a narrow list has a second row of text, a short one has not', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(500)
  onTestFinished(() => void vi.restoreAllMocks())
  await opened([
    anEntry({ id: 'long', reason: 'Links to a shop in every channel, again, after two warnings and a ban of a day' }),
    anEntry({ id: 'short', reason: 'Links to a shop' }),
  ])
  const heightOf = (text: RegExp) => screen.getByText(text).closest('li')?.style.height
  expect(heightOf(/again/)).toBe('66px')
  expect(heightOf(/shop”$/)).toBe('50px')
})

test('arrows move by entry and Enter opens its details, from which one comes to the message', async () => {
  const { store } = await opened([
    anEntry({ targetId: asUserId('kir') }),
    anEntry({ action: 'message.delete', targetId: asUserId('kir'), ...GEAR, messageId: asMessageId('m1') }),
  ])
  const [first] = screen.getAllByRole('button', { name: /Ewa banned/ })
  first?.focus()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  const panel = screen.getByRole('region', { name: 'Details' })
  fireEvent.click(within(panel).getByRole('button', { name: 'Open message' }))
  expect(store.getState().ui.route).toMatchObject({ view: 'channel', cid: 'team:gear' })
})

test('the versions of an edited message name who wrote each', async () => {
  const { bridge } = await opened([
    anEntry({ action: 'message.edit', targetId: asUserId('kir'), ...GEAR, messageId: asMessageId('m1') }),
  ])
  bridge.on('history.versions', () => [
    { at: 2_000, byId: 'ewa', text: 'closed until further notice' },
    { at: 1_000, byId: 'kir', text: 'closed until Sunday' },
  ])
  fireEvent.click(screen.getByRole('button', { name: /edited a message/ }))
  const versions = await screen.findByRole('region', { name: 'Versions' })
  const items = await within(versions).findAllByRole('listitem')
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Кирилл'),
    expect.stringContaining('Ewa'),
  ])
  expect(items[1]?.querySelector('del')?.textContent).toContain('Sunday')
})

test('an action is undone where the viewer may, and nothing is sent without a connection', async () => {
  const entries = [
    anEntry({ targetId: asUserId('kir'), ...GEAR, undo: 'unban' }),
    anEntry({ action: 'message.delete', ...GEAR, messageId: asMessageId('m1'), undo: 'restore' }),
  ]
  const { bridge } = await opened(entries)
  const [unban, restore] = screen.getAllByRole('button', { name: 'Undo' })
  fireEvent.click(unban ?? document.body)
  fireEvent.click(restore ?? document.body)
  await waitFor(() =>
    expect(bridge.inputsOf('history.undo')).toEqual([
      { undo: 'unban', userId: 'kir', cid: 'team:gear' },
      { undo: 'restore', messageId: 'm1' },
    ]),
  )
  await act(async () => bridge.change({ connection: { self: aConnection({ state: 'unhealthy', offline: true }) } }))
  fireEvent.click(screen.getAllByRole('button', { name: 'Undo' })[0] ?? document.body)
  expect(bridge.inputsOf('history.undo')).toHaveLength(2)
})

test('who can’t restore messages is not offered to', async () => {
  await opened([anEntry({ action: 'message.delete', undo: 'restore' })], ['history', 'ban'])
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('filters ask the server, and are taken away one by one', async () => {
  const { bridge } = await opened([anEntry()])
  fireEvent.click(screen.getByRole('button', { name: 'Who' }))
  fireEvent.change(await screen.findByRole('combobox', { name: 'Who' }), { target: { value: 'кир' } })
  await waitFor(() => expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['ККирилл']))
  fireEvent.keyDown(screen.getByRole('combobox', { name: 'Who' }), { key: 'Enter' })
  fireEvent.click(screen.getByRole('button', { name: 'What' }))
  fireEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Roles' }))
  await waitFor(() =>
    expect(bridge.inputsOf('history.list').at(-1)).toEqual({
      filter: { byId: 'kir', actions: ['user.role', 'member.role', 'role.create', 'role.delete'] },
    }),
  )
  fireEvent.click(screen.getByRole('button', { name: 'Remove the filter “Кирилл”' }))
  fireEvent.click(screen.getByRole('button', { name: 'Remove the filter “Roles”' }))
  await waitFor(() => expect(bridge.inputsOf('history.list').at(-1)).toEqual({ filter: {} }))
})

test('versions that could not be loaded say why; only a message that is gone is called so', async () => {
  const { bridge } = await opened([anEntry({ action: 'message.edit', messageId: asMessageId('m1'), ...GEAR })])
  bridge.on('history.versions', () => {
    throw new AppError('network/offline')
  })
  await userEvent.click(screen.getByRole('button', { name: /Ewa edited/ }))
  const versions = await screen.findByRole('region', { name: 'Versions' })
  await waitFor(() => expect(versions.textContent).toMatch(/offline/i))
  expect(versions.textContent).not.toContain('can’t be read anymore')
})

test('Escape closes the details, and the focus returns to the entry', async () => {
  await opened([anEntry({ targetId: asUserId('kir') })])
  const entry = screen.getByRole('button', { name: /Ewa banned/ })
  await userEvent.click(entry)
  screen.getByRole('button', { name: 'Show profile' }).focus()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('region', { name: 'Details' })).toBeNull()
  expect(document.activeElement).toBe(entry)
})

test('the table is saved by main, with the filter that is shown', async () => {
  const { bridge } = await opened([anEntry()])
  const saved = {
    fileName: 'h.csv',
    folderName: 'Downloads',
    messages: 20_000,
    from: NOW - 90 * DAY,
    to: NOW,
    cut: true,
  }
  bridge.on('data.exportHistory', () => ({ saved }))
  bridge.on('data.showFolder', () => undefined)
  fireEvent.click(screen.getByRole('button', { name: 'Export' }))
  await waitFor(() => expect(bridge.inputsOf('data.exportHistory')).toEqual([{ filter: {} }]))
  const told = (await screen.findByText(/Saved 20,000 actions as h.csv in Downloads/)).closest('[role=status]')
  expect(told?.textContent).toMatch(/It covers .+ – .+ filters/)
  expect(told?.textContent).toContain('Older actions didn’t fit.')
  fireEvent.click(screen.getByRole('button', { name: 'Show in folder' }))
  expect(bridge.inputsOf('data.showFolder')).toEqual([{ which: 'exported' }])
})

test('the page says for how long the server keeps entries', async () => {
  await opened([anEntry()])
  expect(screen.getByText(/Entries are deleted after 730 days\./)).toBeTruthy()
})

test('an empty history says what would be listed', async () => {
  await opened([])
  expect(await screen.findByText('No actions yet')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull()
})

test('hostile names and reasons stay text', async () => {
  const { container } = await opened([
    anEntry({ subject: '<img src=x>\u202E', reason: 'line\nbreak\u202E<b>x</b>', action: 'rule.update' }),
  ])
  expect(container.querySelector('img[src="x"]')).toBeNull()
  expect(sentences()[0]).toContain('<img src=x>')
  expect(sentences()[0]).not.toContain('\u202E')
})
