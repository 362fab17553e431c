import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AppLanguage } from '#shared/domain/settings.ts'
import type { ManageState } from '#shared/domain/manage/manage.ts'
import type { PendingDecision, ReviewItem } from '#shared/domain/manage/review.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { aConnection, aSession, aUser, createFakeBridge, type FakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { ReviewPage } from './ReviewPage.tsx'

beforeEach(() => {
  window.innerWidth = 1440
})
afterEach(cleanup)

const NOW = Date.UTC(2026, 10, 27, 12, 1)
const anItem = (id: string, over: Partial<ReviewItem> = {}): ReviewItem => ({
  id,
  subject: 'message',
  authorId: asUserId('kirill'),
  messageId: asMessageId(`m-${id}`),
  cid: asCid('team:community'),
  channelName: 'community',
  text: `text of ${id}`,
  fileCount: 0,
  state: 'there',
  status: 'waiting',
  reports: [{ byId: asUserId('luis'), reason: 'spam: again', at: NOW }],
  decisions: [],
  bans: [],
  createdAt: NOW - Number(id.replace(/\D/g, '')) * 1_000,
  updatedAt: NOW,
  ...over,
})
const decidedBy = (item: ReviewItem): ReviewItem => ({
  ...item,
  status: 'decided',
  decidedById: asUserId('ewa'),
  decidedAt: NOW,
  decisions: [{ action: 'delete', byId: asUserId('ewa'), at: NOW }],
})

const MANAGE: ManageState = { rights: ['review', 'ban'], source: 'role', waiting: 3, changes: {} }
const ACTIONS = {
  message: ['approve', 'delete', 'delete-forever', 'restore', 'ban', 'unban', 'reopen'],
  person: ['approve', 'ban', 'unban'],
} as const

async function show(items: ReviewItem[], manage: Partial<ManageState> = {}, language: AppLanguage = 'en') {
  const state = { items }
  const people = ['kirill', 'luis', 'ewa'].map((id) => aUser({ id, name: id === 'ewa' ? 'Ewa' : id }))
  const bridge = createFakeBridge({
    rows: {
      manage: { self: { ...MANAGE, ...manage } },
      session: { self: aSession() },
      connection: { self: aConnection() },
      users: Object.fromEntries(people.map((user) => [user.id, user])),
    },
  })
  bridge.on('review.list', () => ({
    items: state.items.filter(({ status }) => status === 'waiting'),
    actions: ACTIONS,
  }))
  bridge.on('review.items', ({ ids }: { ids: string[] }) => state.items.filter(({ id }) => ids.includes(id)))
  bridge.on('review.context', () => ({ messages: [], refused: true }))
  bridge.on('review.author', () => ({ userId: 'kirill', role: 'guest', isDeleted: false, bans: [], earlier: [] }))
  bridge.on('review.sameText', () => null)
  let count = 0
  bridge.on('review.decide', ({ items: given }: { items: unknown[] }) => ({ ids: given.map(() => `d${(count += 1)}`) }))
  bridge.on('review.undo', ({ ids }: { ids: string[] }) => ({ undone: ids.length }))
  const view = await renderInApp(<ReviewPage />, bridge, language)
  await screen.findByRole('listbox')
  return { bridge, state, ...view }
}

const options = () => within(screen.getByRole('listbox')).getAllByRole('option')
const focus = (at: number): void => act(() => options()[at]?.focus())
const changed = (bridge: FakeBridge, over: Partial<ManageState>) =>
  act(async () => bridge.change({ manage: { self: { ...MANAGE, ...over } } }))

test('J and K move, A approves what is open as it was seen, and the next item gets the focus', async () => {
  const { bridge } = await show([anItem('i1'), anItem('i2'), anItem('i3')])
  focus(0)
  await userEvent.keyboard('jjk')
  expect(document.activeElement).toBe(options()[1])
  await userEvent.keyboard('a')
  await waitFor(() =>
    expect(bridge.inputsOf('review.decide')).toMatchObject([{ action: 'approve', items: [{ id: 'i2', seenAt: NOW }] }]),
  )
  await waitFor(() => expect(document.activeElement).toBe(options()[2]))
  await userEvent.keyboard('u')
  await waitFor(() => expect(bridge.inputsOf('review.undo')).toEqual([{ ids: ['d1'] }]))
})

test.each([
  ['en', '“again”'],
  ['pl', '„again”'],
  ['ru', '«again»'],
] as const)('what a reporter wrote is in the quotes of %s', async (language, quoted) => {
  await show([anItem('i1')], {}, language)
  expect(await screen.findByText(quoted)).toBeTruthy()
})

test('letters do nothing in a field', async () => {
  const { bridge } = await show([anItem('i1')])
  await userEvent.click(screen.getByRole('button', { name: 'Sender' }))
  await userEvent.keyboard('adb')
  expect(screen.getByRole('combobox', { name: 'Find' })).toHaveProperty('value', 'adb')
  expect(bridge.inputsOf('review.decide')).toEqual([])
})

test('several are selected with X and Shift J, and what another moderator decided is skipped out loud', async () => {
  const { bridge, state } = await show([anItem('i1'), anItem('i2'), anItem('i3')])
  focus(0)
  await userEvent.keyboard('x{Shift>}JJ{/Shift}')
  expect(screen.getByRole('region', { name: '3 selected' })).toBeTruthy()
  state.items = state.items.map((item) => (item.id === 'i2' ? decidedBy(item) : item))
  await changed(bridge, { changes: { review: 1 } })
  expect((await screen.findAllByText('Deleted by Ewa')).length).toBeGreaterThan(0)
  expect(screen.getByText(/Another moderator has decided one of these/)).toBeTruthy()
  await userEvent.keyboard('d')
  await waitFor(() =>
    expect(bridge.inputsOf('review.decide')).toMatchObject([{ action: 'delete', items: [{ id: 'i1' }, { id: 'i3' }] }]),
  )
})

test('an item that is decided elsewhere keeps its place with a tag until one moves on', async () => {
  const { bridge, state } = await show([anItem('i1'), anItem('i2')])
  focus(0)
  state.items = state.items.map((item) => (item.id === 'i1' ? decidedBy(item) : item))
  await changed(bridge, { changes: { review: 1 } })
  expect((await screen.findAllByText('Deleted by Ewa')).length).toBeGreaterThan(0)
  expect(options()).toHaveLength(2)
  await userEvent.keyboard('j')
  await waitFor(() => expect(options()).toHaveLength(1))
  expect(screen.queryByText('Deleted by Ewa')).toBeNull()
})

test('a queued decision is shown on its row with Undo, a refused one with who was first', async () => {
  const queued: PendingDecision = { id: 'd1', itemId: 'i1', action: 'delete', state: 'queued', retryable: true }
  const params = { by: 'Ewa', action: 'approve', at: NOW }
  const refused: PendingDecision = {
    ...queued,
    id: 'd2',
    itemId: 'i2',
    state: 'refused',
    retryable: false,
    reason: { code: 'review/decided', params },
  }
  const { bridge } = await show([anItem('i1'), anItem('i2')], { decisions: [queued, refused] })
  expect(options()[0]?.textContent).toContain('Delete: waiting to be sent')
  expect(options()[1]?.textContent).toMatch(/Not applied\. Ewa approved it at \d/)
  focus(0)
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(bridge.inputsOf('review.undo')).toEqual([{ ids: ['d1'] }]))
})

test('a refused decision brings its item back even if the queue no longer has it', async () => {
  const refused: PendingDecision = {
    id: 'd2',
    itemId: 'i9',
    action: 'delete',
    state: 'refused',
    retryable: false,
    reason: { code: 'server/not-allowed' },
  }
  await show([anItem('i1'), decidedBy(anItem('i9'))], { decisions: [refused] })
  await waitFor(() => expect(options()).toHaveLength(2))
  expect(options()[1]?.textContent).toContain('Not applied.')
})

test('a right that is taken away leaves what is loaded, says so once, and turns the decisions off', async () => {
  const { bridge } = await show([anItem('i1')])
  await act(async () => bridge.change({}, [], { manage: ['self'] }))
  expect(screen.getByText('Your permissions have changed.')).toBeTruthy()
  expect(options()).toHaveLength(1)
  const approve = screen.getByRole('button', { name: 'Approve' })
  expect(approve.getAttribute('aria-disabled')).toBe('true')
  expect(approve.title).toContain('Review reports')
  await userEvent.click(approve)
  expect(bridge.inputsOf('review.decide')).toEqual([])
})

test('deletion for good asks first; the safe button has the focus', async () => {
  const { bridge } = await show([anItem('i1')])
  await userEvent.click(screen.getByRole('button', { name: 'More ways to delete' }))
  await userEvent.click(screen.getByRole('menuitem', { name: /Delete permanently/ }))
  const dialog = screen.getByRole('alertdialog')
  expect(document.activeElement?.textContent).toBe('Cancel')
  expect(bridge.inputsOf('review.decide')).toEqual([])
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete permanently' }))
  await waitFor(() => expect(bridge.inputsOf('review.decide')).toMatchObject([{ action: 'delete-forever' }]))
})

test('a ban says where, how long and why; the whole workspace needs its own right', async () => {
  const { bridge } = await show([anItem('i1')])
  focus(0)
  await userEvent.keyboard('b')
  const dialog = await screen.findByRole('dialog', { name: 'Ban kirill' })
  expect(within(dialog).queryByRole('radio', { name: 'Whole workspace' })).toBeNull()
  expect(within(dialog).getByText('Ban from the whole workspace', { exact: false })).toBeTruthy()
  await userEvent.click(within(dialog).getByRole('radio', { name: /7 days/ }))
  await userEvent.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'rude')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Ban' }))
  await waitFor(() =>
    expect(bridge.inputsOf('review.decide')).toMatchObject([
      { action: 'ban', ban: { scope: 'channel', minutes: 10_080, reason: 'rude', shadow: false } },
    ]),
  )
})

test('hostile names, reasons and texts are shown as text', async () => {
  const text = '<img src=x onerror=alert(1)> \u202Eevil'
  const { container } = await show([anItem('i1', { text, reports: [{ byId: asUserId('luis'), reason: text }] })])
  expect(container.querySelector('img[src="x"]')).toBeNull()
  expect(screen.getAllByText(text, { exact: false }).length).toBeGreaterThan(0)
})

test('of five thousand items only those in view are rendered', async () => {
  await show(Array.from({ length: 5_000 }, (_each, at) => anItem(`i${at + 1}`)))
  expect(options().length).toBeLessThan(40)
  expect(options()[0]?.getAttribute('aria-setsize')).toBe('5000')
})

test('an empty queue says so, and filters that match nothing say that', async () => {
  const bridge = createFakeBridge({ rows: { manage: { self: MANAGE } } })
  bridge.on('review.list', () => ({ items: [], actions: ACTIONS }))
  await renderInApp(<ReviewPage />, bridge)
  expect(await screen.findByText('The queue is empty')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Reason' }))
  await userEvent.keyboard('spam{Enter}')
  expect(await screen.findByText('Nothing matches these filters')).toBeTruthy()
  expect(bridge.inputsOf('review.list').at(-1)).toEqual({ decided: false, reason: 'spam' })
})

test('Space selects the item that has the focus', async () => {
  await show([anItem('i1'), anItem('i2')])
  focus(1)
  await userEvent.keyboard(' ')
  expect(options()[1]?.getAttribute('aria-selected')).toBe('true')
  await userEvent.keyboard(' ')
  expect(options()[1]?.getAttribute('aria-selected')).toBe('false')
})

const aCopy = (id: string, over: object = {}) => ({
  id: asMessageId(id),
  cid: asCid('team:routes'),
  channelName: 'routes',
  userId: asUserId('luis'),
  text: 'text of i1',
  at: NOW,
  ...over,
})

test('other messages with the same text are listed, opened, and decided together with the open one', async () => {
  const { bridge, state } = await show([anItem('i1'), anItem('i2')])
  bridge.on('review.sameText', () => ({
    where: 'server',
    copies: [
      aCopy('c1'),
      aCopy('c2', { cid: asCid('team:gear'), channelName: 'gear', itemId: 'i9', isDecided: false }),
    ],
  }))
  await changed(bridge, { changes: { review: 1 } })
  const same = await screen.findByRole('region', { name: 'Same text elsewhere' })
  expect(same.textContent).toContain('2 more messages, in #routes and #gear')
  expect(within(same).getByRole('button', { name: /luis in #routes/ })).toBeTruthy()
  bridge.on('review.gather', () => {
    state.items = [...state.items, anItem('i8'), anItem('i9')]
    return { ids: ['i8', 'i9'] }
  })
  await userEvent.click(within(same).getByRole('button', { name: 'Select all 3' }))
  expect(bridge.inputsOf('review.gather')).toEqual([{ messageIds: ['c1', 'c2'], reason: 'spam' }])
  const region = await screen.findByRole('region', { name: '3 selected' })
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(region.textContent).toContain('text of i9')
  await waitFor(() =>
    expect(bridge.inputsOf('review.decide')).toMatchObject([
      { action: 'delete', items: [{ id: 'i1' }, { id: 'i8' }, { id: 'i9' }] },
    ]),
  )
})

test('where nothing can be searched, or nothing is found, there is no word of it', async () => {
  const { bridge } = await show([anItem('i1')])
  await waitFor(() => expect(bridge.inputsOf('review.sameText')).toHaveLength(1))
  bridge.on('review.sameText', () => ({ where: 'device', copies: [] }))
  await changed(bridge, { changes: { review: 1 } })
  await waitFor(() => expect(bridge.inputsOf('review.sameText')).toHaveLength(2))
  expect(screen.queryByText('Same text elsewhere')).toBeNull()
})

test('without a connection copies on this device are shown, and why they cannot be gathered', async () => {
  const { bridge } = await show([anItem('i1')])
  bridge.on('review.sameText', () => ({ where: 'device', copies: [aCopy('c1')] }))
  await act(async () => bridge.change({ connection: { self: aConnection({ state: 'unhealthy', offline: true }) } }))
  await changed(bridge, { changes: { review: 1 } })
  const same = await screen.findByRole('region', { name: 'Same text elsewhere' })
  expect(same.textContent).toContain('1 more message on this device, in #routes')
  const select = within(same).getByRole('button', { name: 'Select all 2' })
  expect(select.getAttribute('aria-disabled')).toBe('true')
  expect(select.title).toBe('You’re offline')
})

const aPerson = (over: Partial<ReviewItem> = {}) =>
  anItem('i1', { subject: 'person', messageId: undefined, cid: undefined, channelName: undefined, text: '', ...over })

test('of a profile the old name is beside the new one; hostile names stay text', async () => {
  const profile = { name: 'admin \u202E<img src=x>', changed: { name: true, picture: false } }
  const { container } = await show([aPerson({ profile })])
  const figures = screen.getAllByRole('figure').map(({ textContent }) => textContent)
  expect(figures[0]).toContain('When reported')
  expect(figures[0]).toContain('<img src=x>')
  expect(figures[0]).not.toContain('\u202E')
  expect(figures[1]).toContain('Now')
  expect(figures[1]).toContain('kirill')
  expect(screen.getByText('The name has changed since.')).toBeTruthy()
  expect(container.querySelector('img[src="x"]')).toBeNull()
  expect(screen.queryByText('Same text elsewhere')).toBeNull()
})

test('a profile that is as it was is shown once; of one that was not recorded the page says so', async () => {
  const { bridge, state } = await show([
    aPerson({ profile: { name: 'kirill', changed: { name: false, picture: false } } }),
  ])
  expect(screen.getAllByRole('figure')).toHaveLength(1)
  expect(screen.getByText('The profile hasn’t changed since.')).toBeTruthy()
  state.items = [aPerson()]
  await changed(bridge, { changes: { review: 1 } })
  expect(await screen.findByText('This server doesn’t record what the profile was.')).toBeTruthy()
})

test('the author’s card lists bans that are over, and keeps the name of a deleted person', async () => {
  const { bridge } = await show([anItem('i1')])
  const ban = { at: NOW - 90_000_000, byId: asUserId('ewa'), cid: asCid('team:community'), channelName: 'community' }
  bridge.on('review.author', () => ({
    userId: 'kirill',
    role: 'guest',
    isDeleted: true,
    bans: [],
    pastBans: [
      { ...ban, what: 'ended', at: NOW - 3_600_000, byId: undefined, shadow: false },
      { ...ban, what: 'ban', seconds: 86_400, reason: 'reklama \u202Ebad', shadow: true },
    ],
    earlier: [
      { action: 'approve', at: NOW - 200_000_000, byId: asUserId('ewa'), itemId: 'x' },
      { action: 'ban', at: ban.at, byId: asUserId('ewa'), itemId: 'y' },
    ],
  }))
  await changed(bridge, { changes: { bans: 1 } })
  const card = screen.getByRole('region', { name: 'Sender' })
  await within(card).findByText('Deleted person')
  expect(card.textContent).toContain('kirill')
  expect(card.textContent).toContain('None now, 1 before')
  const lines = within(card)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
  expect(lines.map((line) => line.replace(/\d.*$|(?:Yesterday|Today|[A-Z][a-z]{2},).*$/, ''))).toEqual([
    'Ban in #community ended',
    'Shadow banned in #community',
    'Approved',
  ])
  expect(lines[1]).toMatch(/Ewa · for 1 day · “reklama bad”$/)
})

test('of a message that was deleted permanently the page says that nothing of it is left', async () => {
  await show([anItem('i1', { state: 'gone', text: '' })])
  const message = screen.getByRole('region', { name: 'Reported message' })
  expect(message.textContent).toContain('This message was deleted permanently. Its text isn’t stored.')
  expect(screen.queryByRole('button', { name: 'Open in channel' })).toBeNull()
  const remove = screen.getByRole('button', { name: 'Delete' })
  expect(remove.getAttribute('aria-disabled')).toBe('true')
  expect(remove.title).toBe('Deleted permanently')
})
