import { expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import type { WaitingPerson } from '#shared/domain/sharing.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import type { NotificationChoices } from '#shared/domain/notification.ts'
import type { Account } from '../accounts/account.ts'
import type { ArrivalsOptions } from './arrivals.ts'
import type { NotificationContent } from './delivery.ts'
import { Knocks } from './join-answers.ts'

const person = (id: string, name: string): WaitingPerson => ({
  id,
  name,
  role: 'user',
  invitation: 'Office',
  address: '192.168.1.30',
  at: 0,
  nameTaken: false,
})

/** The owner of a shared workspace, with what the system shows them. */
function owner({ focused = false, choices = {}, locked = false }: Situation = {}) {
  const shown = new Map<string, NotificationContent>()
  const answers: string[] = []
  let waiting: readonly WaitingPerson[] = []
  const account = {
    key: 'own-1',
    engine: { focuses: () => [{ focused }], notify: () => undefined },
  } as unknown as Account
  const arrivals = {
    delivery: {
      notify: (_account: Account, content: NotificationContent) => (shown.set(content.tag, content), 'shown'),
      withdraw: (_account: Account, tag: string) => void shown.delete(tag),
    },
    translate: (_area: string, key: string, params?: object) => `${key} ${JSON.stringify(params ?? {})}`,
    choices: () => ({ ...DEFAULT_SETTINGS.notifications, ...choices }),
    clock: new ManualClock(),
    muted: () => false,
    isLocked: () => locked,
  } as unknown as ArrivalsOptions
  const knocks = new Knocks({
    arrivals: () => arrivals,
    accountAt: () => account,
    waiting: () => Promise.resolve(waiting),
    decide: (place, id, accept) => Promise.resolve(void answers.push(`${place} ${id} ${accept}`)),
  })
  return {
    shown,
    answers,
    async wait(...people: readonly WaitingPerson[]) {
      waiting = people
      await knocks.look('own')
    },
  }
}
type Situation = {
  readonly focused?: boolean
  readonly locked?: boolean
  readonly choices?: Partial<NotificationChoices>
}

test('someone who asks to join notifies once, is answered from the notification, and is withdrawn once answered', async () => {
  const ann = owner()
  await ann.wait(person('r1', 'Marek'))
  await ann.wait(person('r1', 'Marek'))
  const [notice] = [...ann.shown.values()]
  for (const action of notice?.actions ?? []) action.run()
  await Promise.resolve()
  const count = ann.shown.size
  await ann.wait()

  expect(count).toBe(1)
  expect(notice).toMatchObject({ stays: true, opens: { type: 'command', action: 'share' } })
  expect(notice?.title).toBe('system.knocks {"name":"Marek"}')
  expect(ann.answers).toEqual(['own r1 true', 'own r1 false'])
  expect(ann.shown.size).toBe(0)
})

test('while a window of it is focused, notifications are off or paused, nothing notifies', async () => {
  const quiet = [owner({ focused: true }), owner({ choices: { level: 'none' } })]
  for (const ann of quiet) await ann.wait(person('r1', 'Marek'))

  expect(quiet.flatMap(({ shown }) => [...shown.keys()])).toEqual([])
})

test('while the screen is shared or Parlor is locked, nobody is named and nothing can be answered', async () => {
  const [presenting, locked] = [owner({ choices: { presenting: true } }), owner({ locked: true })]
  await presenting.wait(person('r1', 'Marek'))
  await locked.wait(person('r1', 'Marek'))
  const [hidden] = [...presenting.shown.values()]
  const [shut] = [...locked.shown.values()]

  expect(hidden?.title).toBe('system.knock {}')
  expect(shut?.actions).toEqual([])
})
