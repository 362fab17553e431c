import { beforeEach, describe, expect, test } from 'vitest'
import type { Effect } from '#shared/domain/changes.ts'
import type { NotificationChoices } from '#shared/domain/notification.ts'
import type { Reminder } from '#shared/domain/message.ts'
import { DEFAULT_NOTIFICATIONS } from '#shared/domain/settings.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { Commit } from '#main/engine/context.ts'
import type { Focus } from '#main/engine/engine.ts'
import type { Ring } from '#main/engine/features/reminders/alarm.ts'
import type { SystemNotice } from '#main/hosts/host.ts'
import type { Account } from '../accounts/account.ts'
import { createDelivery } from './delivery.ts'
import { ReminderNotifier } from './reminders.ts'

let shown: SystemNotice[]
let calls: [string, unknown][]
let withdrawn: string[]
let effects: Effect[]
let pushed: Effect[]
let focuses: Focus[]
let held: Map<string, Reminder>
let ring: (ring: Ring) => void
let commit: () => void
let choices: NotificationChoices

const aReminder = (id: string, over: Partial<Reminder> = {}): Reminder => ({
  messageId: asMessageId(id),
  cid: asCid('team:plans'),
  remindAt: 1_000,
  rangAt: 1_000,
  pending: false,
  createdAt: 1,
  updatedAt: 1,
  ...over,
})

const account = {
  key: 'demo-1',
  engine: {
    onRing: (listener: (ring: Ring) => void) => {
      ring = listener
      return () => {}
    },
    onCommitted: (listener: (commit: Commit) => void) => {
      commit = () =>
        listener({
          changes: new Map(),
          arrived: [],
          invited: [],
          remindersChanged: true,
          badge: { unread: 0, mentions: 0 },
        })
      return () => {}
    },
    focuses: () => focuses,
    serverNow: () => 5_000,
    handlers: {
      reminders: {
        set: (input: unknown) => void calls.push(['set', input]),
        done: (input: unknown) => void calls.push(['done', input]),
      },
    },
    aboutReminder: (id: string) => {
      const reminder = held.get(id)
      return (
        reminder && { reminder, parentId: undefined, author: 'Jonas', place: 'plans', text: 'Shorter? '.repeat(40) }
      )
    },
  },
} as unknown as Account

const start = (hasNotifier = true): void => {
  const notifier = {
    isAvailable: () => true,
    show: (notice: SystemNotice) => void shown.push(notice),
    withdraw: (id: string) => void withdrawn.push(id),
  }
  const translate = (_area: string, key: string, params = {}): string =>
    `${key} ${Object.values(params).join(' ')}`.trim()
  const delivery = createDelivery({
    host: hasNotifier ? { notifier } : {},
    play: () => false,
    show: (_account, effect) => void effects.push(effect),
    push: (_account, effect) => void pushed.push(effect),
    titled: (_account, title) => title,
  })
  new ReminderNotifier({ delivery, translate, choices: () => choices }).watch(account)
}

const ringOf = (...ids: readonly string[]): Reminder[] =>
  ids.map((id) => {
    const reminder = aReminder(id)
    held.set(id, reminder)
    return reminder
  })

beforeEach(() => {
  ;[shown, withdrawn, effects, pushed, focuses, calls] = [[], [], [], [], [], []]
  held = new Map()
  choices = DEFAULT_NOTIFICATIONS
})

describe('a reminder that fires while no window is focused', () => {
  test('is shown by the system, with author, place and the beginning of the text', () => {
    start()
    ring({ due: ringOf('m1'), missed: [] })
    expect(shown).toHaveLength(1)
    expect(shown[0]?.title).toBe('system.title')
    expect(shown[0]?.body).toMatch(/^system\.inPlace Jonas plans: Shorter\? .+…$/)
    expect(shown[0]?.body.length).toBeLessThan(180)
  })

  test.each([
    [{ preview: 'sender' } as const, 'system.inPlace Jonas plans', false],
    [{ preview: 'nothing' } as const, 'system.hidden', false],
    [{ presenting: true } as const, 'system.hidden', true],
  ])('says no more than other notifications with %o', (chosen, body, silent) => {
    choices = { ...DEFAULT_NOTIFICATIONS, ...chosen }
    start()
    ring({ due: ringOf('m1'), missed: [] })
    expect(shown).toMatchObject([{ title: 'system.title', body, silent }])
  })

  test('opens its message when it is clicked', () => {
    start()
    ring({ due: ringOf('m1'), missed: [] })
    shown[0]?.onClick()
    expect(effects).toEqual([{ type: 'focus', cid: 'team:plans', messageId: 'm1' }])
  })

  test('stays until it is dismissed, and is then withdrawn', () => {
    start()
    ring({ due: ringOf('m1'), missed: [] })
    commit()
    expect(withdrawn).toEqual([])
    held.set('m1', aReminder('m1', { doneAt: 2_000 }))
    commit()
    commit()
    expect(withdrawn).toEqual([shown[0]?.id])
  })

  test('is withdrawn when it was snoozed', () => {
    start()
    ring({ due: ringOf('m1'), missed: [] })
    const { rangAt: _rang, ...again } = aReminder('m1', { remindAt: 9_000 })
    held.set('m1', again)
    commit()
    expect(withdrawn).toEqual([shown[0]?.id])
  })

  test('is completed or snoozed by its buttons, and stays until then', async () => {
    start()
    ring({ due: ringOf('m1'), missed: [] })
    expect(shown[0]?.stays).toBe(true)
    for (const { run } of shown[0]?.actions ?? []) run()
    await Promise.resolve()
    expect(calls).toEqual([
      ['done', { messageId: 'm1' }],
      ['set', { messageId: 'm1', remindAt: 605_000 }],
      ['set', { messageId: 'm1', remindAt: 3_605_000 }],
    ])
  })

  test('is shown by pages if only they can show it', () => {
    start(false)
    ring({ due: ringOf('m1'), missed: [] })
    const opens = { type: 'focus', cid: 'team:plans', messageId: 'm1' }
    expect(pushed).toMatchObject([{ type: 'notify', title: 'system.title', opens, reminds: true }])
  })

  test('many at once are shown by pages too, in one summary', () => {
    start(false)
    ring({ due: ringOf('a', 'b', 'c', 'd'), missed: [] })
    const opens = { type: 'command', action: 'reminders' }
    expect(pushed).toMatchObject([{ type: 'notify', title: 'system.several 4', opens, reminds: true }])
  })
})

test('nothing is shown by the system while a window of the account is focused', () => {
  start()
  focuses = [{ focused: false }, { focused: true }]
  ring({ due: ringOf('m1'), missed: ringOf('m2') })
  expect(shown).toEqual([])
})

test('many missed ones are one summary that opens the list', () => {
  start()
  ring({ due: [], missed: ringOf('a', 'b', 'c', 'd') })
  expect(shown.map(({ title }) => title)).toEqual(['system.missed 4'])
  shown[0]?.onClick()
  expect(effects).toEqual([{ type: 'command', action: 'reminders' }])
})
