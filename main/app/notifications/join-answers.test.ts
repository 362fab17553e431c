import { expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { NotificationChoices } from '#shared/domain/notification.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import type { JoinState } from '#shared/domain/sharing.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { Account } from '../accounts/account.ts'
import type { ArrivalsOptions } from './arrivals.ts'
import type { DeviceNotification, NotificationContent } from './delivery.ts'
import { JoinAnswers } from './join-answers.ts'

const PENDING = { workspace: 'Studio', owner: 'Ann', name: 'Marek', since: 0 }
const REF: AccountRef = { kind: 'hosted', userId: 'marek-1', url: 'https://192.168.1.24:7443', apiKey: 'k' }

/** Somebody who has asked to join and left the page. */
function newcomer(choices: Partial<NotificationChoices> = {}) {
  const clock = new ManualClock()
  const ofAccount: NotificationContent[] = []
  const ofDevice: DeviceNotification[] = []
  let answer: JoinState | 'nothing' | 'unreachable' = 'waiting'
  let asked = 0
  const arrivals = {
    delivery: { notify: (_account: Account, content: NotificationContent) => (ofAccount.push(content), 'shown') },
    translate: (_area: string, key: string, params?: object) => `${key} ${JSON.stringify(params ?? {})}`,
    choices: () => ({ ...DEFAULT_SETTINGS.notifications, ...choices }),
    clock,
  } as unknown as ArrivalsOptions
  const answers = new JoinAnswers({
    arrivals: () => arrivals,
    notifyDevice: (content) => void ofDevice.push(content),
    check() {
      asked += 1
      if (answer === 'unreachable') return Promise.reject(new AppError('join/unreachable'))
      if (answer === 'nothing') return Promise.resolve({ state: 'gone' })
      return Promise.resolve({ state: answer, pending: PENDING, ref: answer === 'joined' ? REF : undefined })
    },
    accountOf: () => ({ key: 'marek' }) as Account,
  })
  answers.watch()
  return {
    clock,
    answers,
    ofAccount,
    ofDevice,
    asked: () => asked,
    become: (next: typeof answer) => (answer = next),
  }
}

test('somebody who is let in is notified once, and a click opens the workspace', async () => {
  const marek = newcomer()
  await marek.clock.advance(30_000)
  const before = marek.ofAccount.length
  marek.become('joined')
  await marek.clock.advance(600_000)

  expect(before).toBe(0)
  expect(marek.ofAccount).toMatchObject([
    { title: 'system.join.joined.title {"workspace":"Studio"}', opens: { type: 'command', action: 'browse' } },
  ])
  expect(marek.ofAccount[0]?.body).toContain('"owner":"Ann"')
  expect(marek.ofDevice).toEqual([])
  expect(marek.asked()).toBe(4)
})

test.each(['refused', 'gone'] as const)(
  'somebody whose request is %s is notified, and a click opens the page that says why',
  async (state) => {
    const marek = newcomer()
    marek.become(state)
    await marek.clock.advance(60_000)

    expect(marek.ofDevice).toMatchObject([
      { title: `system.join.${state}.title {"workspace":"Studio"}`, opens: { route: 'join', text: '' } },
    ])
    expect(marek.asked()).toBe(1)
  },
)

test('a device out of reach is asked once a minute, until it answers', async () => {
  const marek = newcomer()
  marek.become('unreachable')
  await marek.clock.advance(130_000)
  const asked = marek.asked()
  marek.become('joined')
  await marek.clock.advance(60_000)

  expect(asked).toBe(3)
  expect(marek.ofAccount.length).toBe(1)
})

test('nothing is asked without a request, after it was answered in a window, or once Parlor closes', async () => {
  const [none, closed] = [newcomer(), newcomer()]
  none.become('nothing')
  closed.answers.stop()
  closed.answers.watch()
  await none.clock.advance(60_000)
  await closed.clock.advance(60_000)

  expect(none.asked()).toBe(1)
  expect(none.ofDevice).toEqual([])
  expect(closed.asked()).toBe(0)
})

test('nobody is named while the screen is shared, and nothing notifies where notifications are off', async () => {
  const [presenting, off] = [newcomer({ presenting: true }), newcomer({ level: 'none' })]
  for (const marek of [presenting, off]) {
    marek.become('refused')
    await marek.clock.advance(60_000)
  }

  expect(presenting.ofDevice.map(({ title, body }) => `${title}${body}`).join('')).not.toMatch(/Studio|Ann/)
  expect(off.ofDevice).toEqual([])
})
