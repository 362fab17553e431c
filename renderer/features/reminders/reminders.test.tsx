import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { Reminder } from '#shared/domain/message.ts'
import {
  aChannel,
  aConnection,
  aMessage,
  aSession,
  aUser,
  byCid,
  byId,
  createFakeBridge,
  someSettings,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { routeOpened } from '../../store/window/ui.ts'
import { laterFiltered } from '../../store/window/views.ts'
import { Announcer } from '../../ui/Toast/Toast.tsx'
import { ReminderToasts } from './ReminderToasts.tsx'
import { NewReminderDialog } from './ReminderDialog.tsx'

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

async function show(reminders: readonly Reminder[], element = <ReminderToasts />) {
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

const Toasts = () => (
  <>
    <Announcer />
    <ReminderToasts />
  </>
)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  localStorage.clear()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
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

test('what rang is announced and has no toast while Later lists it, over whose last rows it would lie', async () => {
  const { store } = await show(['a', 'b'].map(rang), <Toasts />)
  expect(screen.getByRole('group', { name: '2 reminders' })).toBeTruthy()
  act(() => void store.dispatch(routeOpened({ view: 'later' })))
  expect(screen.queryByRole('group')).toBeNull()
  expect(screen.getByRole('status').textContent).toContain('2 reminders')
  act(() => void store.dispatch(laterFiltered('drafts')))
  expect(screen.getByRole('group', { name: '2 reminders' })).toBeTruthy()
})

test('the toast of several reminders opens the list that has them, whatever Later showed last', async () => {
  const { store } = await show(['a', 'b'].map(rang), <ReminderToasts />)
  act(() => void store.dispatch(laterFiltered('drafts')))
  await userEvent.click(screen.getByRole('button', { name: 'Show reminders' }))
  expect(store.getState().ui.route.view).toBe('later')
  expect(store.getState().views.later).toBe('reminders')
})

test('a new reminder becomes a note to self; its time may be in any of the languages', async () => {
  const { bridge } = await show([], <NewReminderDialog />)
  bridge.on('channels.direct', () => 'messaging:notes')
  bridge.on('messages.send', () => 'note')
  await userEvent.type(screen.getByRole('textbox', { name: 'Remind me to' }), 'Call the printer')
  await userEvent.type(screen.getByRole('textbox', { name: 'When' }), 'jutro o 9')
  expect(screen.getByText(/9:00 AM/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(bridge.inputsOf('messages.send')).toMatchObject([{ cid: 'messaging:notes', text: 'Call the printer' }])
  expect(bridge.inputsOf('reminders.set')).toEqual([{ messageId: 'note', remindAt: at(21, 9) }])
})

test('a new reminder needs a text; without a time it is saved for later', async () => {
  const { bridge } = await show([], <NewReminderDialog />)
  bridge.on('channels.direct', () => 'messaging:notes')
  bridge.on('messages.send', () => 'note')
  await userEvent.click(screen.getByRole('button', { name: 'No time' }))
  expect(screen.getByText('Write what you want to be reminded of.')).toBeTruthy()
  await userEvent.type(screen.getByRole('textbox', { name: 'Remind me to' }), 'Call the printer')
  await userEvent.click(screen.getByRole('button', { name: 'No time' }))
  expect(bridge.inputsOf('reminders.set')).toEqual([{ messageId: 'note' }])
})
