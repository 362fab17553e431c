import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { Draft } from '#shared/domain/draft.ts'
import type { OutboxItem } from '#shared/domain/intent.ts'
import type { Reminder } from '#shared/domain/message.ts'
import {
  aChannel,
  aConnection,
  aMessage,
  anAttachment,
  anOutboxItem,
  aSession,
  aUser,
  byCid,
  byId,
  createFakeBridge,
  someSettings,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { undoLast } from '../../store/window/recent.ts'
import { LaterView } from './LaterView.tsx'

/** Friday 20 November 2026, 11:56 local time. */
const NOW = new Date(2026, 10, 20, 11, 56).getTime()
const at = (day: number, hour: number, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime()
const cid = asCid('messaging:release')

const aReminder = (id: string, over: Partial<Reminder> = {}): Reminder => ({
  messageId: asMessageId(id),
  cid,
  pending: false,
  createdAt: 1,
  updatedAt: 1,
  ...over,
})
const aDraft = (over: Partial<Draft> = {}): Draft => ({
  key: cid,
  cid,
  text: 'words of draft',
  uploads: [],
  caret: 3,
  showInChannel: false,
  updatedAt: 2,
  ...over,
})

const REMINDERS: readonly Reminder[] = [
  aReminder('late', { remindAt: at(17, 9) }),
  aReminder('due', { remindAt: at(20, 11, 50) }),
  aReminder('today', { remindAt: at(20, 18, 30) }),
  aReminder('coming', { remindAt: at(23, 10) }),
  aReminder('kept'),
  aReminder('over', { doneAt: at(19, 10) }),
]
const OUTBOX: readonly OutboxItem[] = [
  anOutboxItem({
    id: 'failed',
    cid,
    state: 'parked',
    summary: 'words of failed',
    reason: { code: 'server/not-allowed' },
  }),
  anOutboxItem({ id: 'planned', cid, state: 'scheduled', summary: 'words of planned', sendAt: at(24, 9) }),
]

type Rows = { reminders?: readonly Reminder[]; drafts?: readonly Draft[]; outbox?: readonly OutboxItem[] }

async function show({ reminders = [], drafts = [], outbox = [] }: Rows) {
  const bridge = createFakeBridge({
    rows: {
      users: byId([aUser({ id: 'jonas', name: 'Jonas Lindqvist' })]),
      channels: byCid([aChannel({ cid, name: 'release' })]),
      messages: byId(
        reminders.map(({ messageId }) =>
          aMessage({ id: messageId, cid, userId: 'jonas', text: `words of ${messageId}` }),
        ),
      ),
      reminders: Object.fromEntries(reminders.map((one) => [one.messageId, one])),
      drafts: Object.fromEntries(drafts.map((one) => [one.key, one])),
      outbox: byId(outbox),
      session: { self: aSession() },
      settings: { self: someSettings() },
      connection: { self: aConnection() },
    },
  })
  const held = new Map(reminders.map((one) => [one.messageId as string, one]))
  const put = (one: Reminder): void => bridge.change({ reminders: { [one.messageId]: one } })
  bridge.on('reminders.done', ({ messageId }: { messageId: string }) =>
    put({ ...(held.get(messageId) ?? aReminder(messageId)), doneAt: NOW }),
  )
  bridge.on('reminders.set', ({ messageId, remindAt }: { messageId: string; remindAt?: number }) =>
    put(aReminder(messageId, remindAt === undefined ? {} : { remindAt })),
  )
  bridge.on('reminders.remove', ({ messageId }: { messageId: string }) =>
    bridge.change({}, [], { reminders: [messageId] }),
  )
  bridge.on('drafts.discard', ({ key }: { key: string }) => bridge.change({}, [], { drafts: [key] }))
  bridge.on('outbox.discard', ({ id }: { id: string }) => bridge.change({}, [], { outbox: [id] }))
  const { store } = await renderInApp(<LaterView />, bridge)
  return { bridge, store }
}
const showAll = () => show({ reminders: REMINDERS, drafts: [aDraft()], outbox: OUTBOX })

const row = (id: string): HTMLElement => screen.getByRole('button', { name: new RegExp(`, words of ${id},`) })
const rowNames = (): string[] =>
  [...document.querySelectorAll('[data-later]')].map((each) => each.getAttribute('data-later')?.split(' ')[1] ?? '')
const pill = (name: RegExp): HTMLElement => within(screen.getByRole('toolbar')).getByRole('button', { name })

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: NOW })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('everything is in groups by when it needs the user, what failed first', async () => {
  await showAll()
  const groups = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  expect(groups).toEqual(['Needs you 3', 'Today 1', 'Upcoming 2', 'Any time 2'])
  expect(rowNames()).toEqual(['failed', 'late', 'due', 'today', 'coming', 'planned', 'messaging:release', 'kept'])
})

test('pills narrow it down, with counts, and a dot where something needs the user', async () => {
  await showAll()
  expect(pill(/^All/).textContent).toBe('All8')
  expect(pill(/^Reminders/).getAttribute('aria-pressed')).toBe('false')
  expect(within(pill(/^Reminders/)).getByRole('img', { name: 'needs you' })).toBeTruthy()
  expect(within(pill(/^Outbox/)).getByRole('img', { name: 'needs you' })).toBeTruthy()
  expect(within(pill(/^Saved/)).queryByRole('img')).toBeNull()
  await userEvent.click(pill(/^Reminders/))
  expect(rowNames()).toEqual(['late', 'due', 'today', 'coming'])
  await userEvent.click(pill(/^Scheduled/))
  expect(rowNames()).toEqual(['planned'])
  expect(screen.getByText(/^Parlor must be open at that time\./)).toBeTruthy()
})

test('a row says its kind, when, its text, its author and place; what failed says why', async () => {
  await showAll()
  expect(row('due').getAttribute('aria-label')).toBe(
    'Reminder, 6 min ago, 11:50 AM, words of due, from Jonas Lindqvist in #release',
  )
  expect(row('failed').getAttribute('aria-label')).toContain('Not sent. You don’t have permission to do this.')
})

test('J and K move, digits choose what is shown', async () => {
  const { store } = await showAll()
  row('late').focus()
  await userEvent.keyboard('jj')
  expect(document.activeElement).toBe(row('today'))
  await userEvent.keyboard('k')
  expect(document.activeElement).toBe(row('due'))
  await userEvent.keyboard('3')
  expect(store.getState().views.later).toBe('reminders')
  expect(document.activeElement).toBe(pill(/^Reminders/))
  await userEvent.keyboard('1')
  expect(store.getState().views.later).toBe('all')
})

test('E completes a reminder, the focus goes to the next row, and Undo brings it back at its time', async () => {
  const { bridge, store } = await showAll()
  row('due').focus()
  await userEvent.keyboard('e')
  expect(bridge.inputsOf('reminders.done')).toEqual([{ messageId: 'due' }])
  await vi.waitFor(() => expect(rowNames()).not.toContain('due'))
  expect(document.activeElement).toBe(row('today'))
  expect(store.getState().notices.local.at(-1)).toMatchObject({
    code: 'reminder/done',
    params: { text: 'words of due' },
  })
  await act(async () => store.dispatch(undoLast()))
  expect(bridge.inputsOf('reminders.set')).toEqual([{ messageId: 'due', remindAt: at(20, 11, 50) }])
  await vi.waitFor(() => expect(rowNames()).toContain('due'))
})

test('H opens the snooze menu, with times from now', async () => {
  const { bridge } = await showAll()
  row('late').focus()
  await userEvent.keyboard('h')
  const menu = screen.getByRole('menu', { name: 'Remind me' })
  await userEvent.click(within(menu).getByRole('menuitem', { name: /^30 minutes/ }))
  expect(bridge.inputsOf('reminders.set')).toEqual([
    { messageId: 'late', remindAt: expect.closeTo(NOW + 30 * 60_000, -4) },
  ])
})

test('Enter opens the message, Delete removes a reminder', async () => {
  const { bridge, store } = await showAll()
  row('today').focus()
  await userEvent.keyboard('{Delete}')
  expect(bridge.inputsOf('reminders.remove')).toEqual([{ messageId: 'today' }])
  row('coming').focus()
  await userEvent.keyboard('{Enter}')
  expect(store.getState().ui.route).toMatchObject({ view: 'channel', cid })
  expect(store.getState().ui.jump).toMatchObject({ messageId: 'coming' })
})

test('Ctrl+Enter sends a scheduled message now; Delete asks first, because it cannot be restored', async () => {
  const { bridge } = await showAll()
  row('planned').focus()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(bridge.inputsOf('outbox.schedule')).toEqual([{ id: 'planned' }])
  row('planned').focus()
  await userEvent.keyboard('{Delete}')
  expect(bridge.inputsOf('outbox.discard')).toEqual([])
  const question = screen.getByRole('alertdialog', { name: 'Delete this message?' })
  await userEvent.click(within(question).getByRole('button', { name: 'Delete' }))
  expect(bridge.inputsOf('outbox.discard')).toEqual([{ id: 'planned' }])
})

test('a failed message can be edited; a draft is continued in its thread', async () => {
  const { bridge, store } = await show({
    drafts: [aDraft({ key: `${cid}/p1`, parentId: asMessageId('p1') })],
    outbox: OUTBOX,
  })
  bridge.on('outbox.takeBack', () => ({ text: 'words of failed', cid }))
  await userEvent.click(screen.getAllByRole('button', { name: 'Edit' })[0] ?? row('failed'))
  expect(bridge.inputsOf('outbox.takeBack')).toEqual([{ id: 'failed' }])
  await userEvent.click(screen.getByRole('button', { name: 'Continue writing in #release' }))
  const { panel } = store.getState().ui
  expect(panel).toEqual({ kind: 'thread', cid, parentId: 'p1' })
  expect(store.getState().composers[`${cid}/p1`]?.focusRequest).toBe(1)
})

test('a discarded draft can be brought back as it was', async () => {
  const { bridge, store } = await show({ drafts: [aDraft()] })
  await userEvent.click(screen.getByRole('button', { name: 'Discard draft in #release' }))
  expect(bridge.inputsOf('drafts.discard')).toEqual([{ key: cid }])
  await act(async () => store.dispatch(undoLast()))
  expect(bridge.inputsOf('drafts.save')).toMatchObject([{ cid, text: 'words of draft', caret: 3 }])
})

test('completed reminders are shown from the menu, and one can be made active again', async () => {
  const { bridge } = await showAll()
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Completed reminders' }))
  expect(rowNames()).toEqual(['over'])
  await userEvent.click(screen.getByRole('button', { name: 'Mark as not done' }))
  expect(bridge.inputsOf('reminders.set')).toEqual([{ messageId: 'over' }])
})

test('with nothing put aside, the first thing to do is offered', async () => {
  const { store } = await show({})
  expect(screen.getByRole('heading', { name: 'Nothing for later' })).toBeTruthy()
  await userEvent.click(screen.getAllByRole('button', { name: 'New reminder' })[1] ?? document.body)
  expect(store.getState().ui.dialog).toEqual({ kind: 'new-reminder' })
})

test('the messages of reminders are loaded while the view is mounted', async () => {
  const { bridge } = await showAll()
  const opened = bridge.inputsOf('reminders.open').length
  expect(bridge.inputsOf('reminders.close')).toHaveLength(opened - 1)
  cleanup()
  expect(bridge.inputsOf('reminders.close')).toHaveLength(opened)
})

test('X selects several rows; all are completed or snoozed at once, and what cannot be restored is asked about', async () => {
  const { bridge } = await showAll()
  row('today').focus()
  await userEvent.keyboard('xjx')
  const bar = screen.getByRole('toolbar', { name: '2 selected' })
  expect(row('coming').getAttribute('aria-label')).toContain('selected, Reminder')
  await userEvent.click(within(bar).getByRole('button', { name: 'Snooze' }))
  await userEvent.click(screen.getByRole('menuitem', { name: /^1 hour/ }))
  expect(bridge.inputsOf('reminders.set')).toHaveLength(2)
  await userEvent.click(
    within(screen.getByRole('toolbar', { name: '2 selected' })).getByRole('button', { name: 'Done' }),
  )
  expect(bridge.inputsOf('reminders.done')).toHaveLength(2)
  expect(bridge.inputsOf('reminders.done')).toEqual(
    expect.arrayContaining([{ messageId: 'today' }, { messageId: 'coming' }]),
  )
  row('planned').focus()
  await userEvent.keyboard('xjx')
  await userEvent.click(
    within(screen.getByRole('toolbar', { name: '2 selected' })).getByRole('button', { name: 'Delete' }),
  )
  await userEvent.click(
    within(screen.getByRole('alertdialog', { name: 'Delete 2 items?' })).getByRole('button', { name: 'Delete' }),
  )
  expect(bridge.inputsOf('outbox.discard')).toEqual([{ id: 'planned' }])
  expect(bridge.inputsOf('drafts.discard')).toHaveLength(1)
})

test('a file alone is called by its name, several are counted', async () => {
  const { bridge } = await show({ reminders: [aReminder('kept')] })
  const holds = (...titles: readonly string[]) =>
    act(() =>
      bridge.change({
        messages: byId([
          aMessage({
            id: 'kept',
            cid,
            userId: 'jonas',
            text: '',
            attachments: titles.map((title, index) => anAttachment({ kind: 'file', index, title })),
          }),
        ]),
      }),
    )
  holds('route.gpx')
  expect(await screen.findByRole('button', { name: /, route\.gpx,/ })).toBeTruthy()
  holds('route.gpx', 'notes.txt')
  expect(await screen.findByRole('button', { name: /, 2 files,/ })).toBeTruthy()
})
