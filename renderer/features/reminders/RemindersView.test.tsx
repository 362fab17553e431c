import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { Reminder } from '#shared/domain/reminder.ts'
import {
  aChannel,
  aConnection,
  aMessage,
  anAttachment,
  aSession,
  aUser,
  byCid,
  byId,
  createFakeBridge,
  someSettings,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { ReminderToasts } from './ReminderToasts.tsx'
import { RemindersView } from './RemindersView.tsx'

/** Friday 20 November 2026, 11:56 local time. */
const NOW = new Date(2026, 10, 20, 11, 56).getTime()
const at = (day: number, hour: number, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime()

const aReminder = (id: string, over: Partial<Reminder> = {}): Reminder => ({
  messageId: asMessageId(id),
  cid: asCid('messaging:release'),
  pending: false,
  createdAt: 1,
  updatedAt: 1,
  ...over,
})

const ALL: readonly Reminder[] = [
  aReminder('late', { remindAt: at(17, 9) }),
  aReminder('due', { remindAt: at(20, 11, 50) }),
  aReminder('today', { remindAt: at(20, 18, 30) }),
  aReminder('coming', { remindAt: at(23, 10) }),
  aReminder('kept'),
  aReminder('over', { doneAt: at(19, 10) }),
]

async function show(reminders: readonly Reminder[], element = <RemindersView />) {
  const bridge = createFakeBridge({
    rows: {
      users: byId([aUser({ id: 'jonas', name: 'Jonas Lindqvist' })]),
      channels: byCid([aChannel({ cid: 'messaging:release', name: 'release' })]),
      messages: byId(
        reminders.map(({ messageId }) =>
          aMessage({ id: messageId, cid: 'messaging:release', userId: 'jonas', text: `words of ${messageId}` }),
        ),
      ),
      reminders: Object.fromEntries(reminders.map((one) => [one.messageId, one])),
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
  const { store } = await renderInApp(element, bridge)
  return { bridge, store }
}

const row = (id: string): HTMLElement => screen.getByRole('button', { name: new RegExp(`^words of ${id}`) })
const rowNames = (): string[] =>
  screen
    .queryAllByRole('button', { name: /^words of / })
    .map((each) => /words of (\w+),/.exec(each.getAttribute('aria-label') ?? '')?.[1] ?? '')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  localStorage.clear()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('open reminders are grouped by due time, with relative and absolute time', async () => {
  await show(ALL)
  const groups = screen.getAllByRole('region').map((group) => group.getAttribute('aria-label'))
  expect(groups).toEqual(['Overdue', 'Due now', 'Later today', 'Upcoming'])
  expect(rowNames()).toEqual(['late', 'due', 'today', 'coming'])
  expect(row('late').getAttribute('aria-label')).toMatch(/^words of late, Jonas Lindqvist, #release, 3 days ago, Tue/)
  expect(row('today').textContent).toContain('in 6 h')
  expect(row('coming').textContent).toContain('in 3 days')
})

test('tabs show counts and switch to saved and done reminders', async () => {
  await show(ALL)
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Active4', 'Saved for later1', 'Done'])
  screen.getByRole('tab', { name: /Active/ }).focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(rowNames()).toEqual(['kept'])
  await userEvent.keyboard('{ArrowRight}')
  expect(rowNames()).toEqual(['over'])
})

test('J and K move, E completes a reminder, and the focus stays in the list', async () => {
  const { bridge } = await show(ALL)
  row('late').focus()
  await userEvent.keyboard('jj')
  expect(document.activeElement).toBe(row('today'))
  await userEvent.keyboard('k')
  expect(document.activeElement).toBe(row('due'))
  await userEvent.keyboard('e')
  expect(bridge.inputsOf('reminders.done')).toEqual([{ messageId: 'due' }])
  await vi.waitFor(() => expect(rowNames()).toEqual(['late', 'today', 'coming']))
  expect(document.activeElement).toBe(row('today'))
})

test('H opens the snooze menu, with times from now', async () => {
  const { bridge } = await show(ALL)
  row('late').focus()
  await userEvent.keyboard('h')
  const menu = screen.getByRole('menu', { name: 'Remind me' })
  expect(
    within(menu)
      .getAllByRole('menuitem')
      .slice(0, 3)
      .map((item) => item.textContent),
  ).toEqual([
    expect.stringMatching(/^2 minutes11:58/),
    expect.stringMatching(/^30 minutes12:26/),
    expect.stringMatching(/^1 hour12:56/),
  ])
  await userEvent.click(within(menu).getByRole('menuitem', { name: /^30 minutes/ }))
  expect(bridge.inputsOf('reminders.set')).toEqual([{ messageId: 'late', remindAt: NOW + 30 * 60_000 }])
})

test('Enter opens the message, Delete removes the reminder', async () => {
  const { bridge, store } = await show(ALL)
  row('today').focus()
  await userEvent.keyboard('{Delete}')
  expect(bridge.inputsOf('reminders.remove')).toEqual([{ messageId: 'today' }])
  row('coming').focus()
  await userEvent.keyboard('{Enter}')
  expect(store.getState().ui.route).toMatchObject({ view: 'channel', cid: 'messaging:release' })
  expect(store.getState().ui.jump).toMatchObject({ messageId: 'coming' })
})

test('a done reminder marked as not done is saved without a time', async () => {
  const { bridge } = await show(ALL)
  await userEvent.click(screen.getByRole('tab', { name: 'Done' }))
  await userEvent.click(screen.getByRole('button', { name: 'Mark as not done' }))
  expect(bridge.inputsOf('reminders.set')).toEqual([{ messageId: 'over' }])
})

test('without reminders the empty state is shown', async () => {
  await show([])
  expect(screen.getByRole('heading', { name: 'No active reminders' })).toBeTruthy()
})

test('the messages of reminders are loaded while the view is mounted', async () => {
  const { bridge } = await show(ALL)
  const opened = bridge.inputsOf('reminders.open').length
  expect(bridge.inputsOf('reminders.close')).toHaveLength(opened - 1)
  cleanup()
  expect(bridge.inputsOf('reminders.close')).toHaveLength(opened)
})

const rang = (id: string): Reminder => aReminder(id, { remindAt: at(20, 11, 55), rangAt: at(20, 11, 55) })

test('the toast of a reminder stays until it is acknowledged', async () => {
  const { bridge } = await show([rang('a'), ...ALL], <ReminderToasts />)
  const toast = screen.getByRole('group', { name: 'Reminder' })
  expect(toast.textContent).toContain('Jonas Lindqvist in #release: words of a')
  await userEvent.click(screen.getByRole('button', { name: 'Snooze 30 minutes' }))
  expect(bridge.inputsOf('reminders.set')).toEqual([{ messageId: 'a', remindAt: NOW + 30 * 60_000 }])
  await vi.waitFor(() => expect(screen.queryByRole('group')).toBeNull())
})

test('a dismissed toast is not shown again after a restart', async () => {
  await show([rang('a')], <ReminderToasts />)
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByRole('group')).toBeNull()
  cleanup()
  await show([rang('a')], <ReminderToasts />)
  expect(screen.queryByRole('group')).toBeNull()
})

test('several reminders share one toast, and missed ones are shown as missed', async () => {
  const missed = (id: string): Reminder => aReminder(id, { remindAt: at(19, 9), rangAt: NOW })
  const { bridge } = await show(['a', 'b', 'c', 'd'].map(missed), <ReminderToasts />)
  expect(screen.getByRole('group', { name: '4 reminders were due while Parlor was closed' }).textContent).toContain(
    'and 1 more',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  expect(bridge.inputsOf('reminders.done')).toHaveLength(4)
})

test('a file alone is called by its name, several are counted', async () => {
  const { bridge } = await show([aReminder('kept', { remindAt: at(23, 10) })])
  const holds = (...titles: readonly string[]) =>
    act(() =>
      bridge.change({
        messages: byId([
          aMessage({
            id: 'kept',
            cid: 'messaging:release',
            userId: 'jonas',
            text: '',
            attachments: titles.map((title, index) => anAttachment({ kind: 'file', index, title })),
          }),
        ]),
      }),
    )
  holds('route.gpx')
  expect(await screen.findByRole('button', { name: /^route\.gpx/ })).toBeTruthy()
  holds('route.gpx', 'notes.txt')
  expect(await screen.findByRole('button', { name: /^2 files/ })).toBeTruthy()
})
