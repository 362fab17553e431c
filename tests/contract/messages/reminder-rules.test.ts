import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDueTimer } from '#main/server/store/upkeep.ts'
import { openSession } from '#main/server/realtime/connect.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

let room: Room
beforeAll(() => {
  room = openRoom(['ann', 'bob'])
})
afterAll(() => room.close())

let count = 0
/** A message of Ann's that Bob may be reminded of. */
function message(): { params: { id: string }; place: { type: string; id: string } } {
  const place = { type: 'messaging', id: `rem${(count += 1)}` }
  room.done('GetOrCreateChannel', 'ann', { params: place, body: { data: { members: ['ann', 'bob'] } } })
  const body = { message: { text: 'later' } }
  const { id } = room.done<{ message: { id: string } }>('SendMessage', 'ann', { params: place, body }).message
  return { params: { id }, place }
}
const inSeconds = (seconds: number) => new Date(room.clock.now() + seconds * 1_000).toISOString()

/** Bob connects; the events since his first frame. */
function bobComes(): { types: () => string[]; leaves: () => void } {
  const types: string[] = []
  const who = { userId: 'bob', role: 'user', banned: false, server: false, expiresAtMs: undefined }
  const session = openSession(
    room.server.services,
    { who, details: {}, device: undefined },
    {
      push: (event) => void types.push((JSON.parse(event.json) as { type: string }).type),
      flush: () => undefined,
      close: () => undefined,
    },
  )
  return { types: () => types.splice(0), leaves: () => session.onClosed() }
}

test('reminders that became due while the user was away are sent on connecting, once', async () => {
  const { params } = message()
  room.done('CreateReminder', 'bob', { params, body: { remind_at: inSeconds(60) } })
  await room.clock.advance(120_000)
  const first = bobComes()
  expect(first.types().filter((type) => type.startsWith('notification'))).toEqual(['notification.reminder_due'])
  first.leaves()
  const second = bobComes()
  expect(second.types()).not.toContain('notification.reminder_due')
  second.leaves()
})

test('a server that was suspended past many reminders sends each of them when it resumes', async () => {
  const bob = room.listen('bob')
  for (let at = 0; at < 3; at += 1) {
    room.done('CreateReminder', 'bob', { params: message().params, body: { remind_at: inSeconds(-3_600 * (at + 1)) } })
  }
  const stop = startDueTimer(room.server.services)
  await room.clock.advance(1)
  expect(bob.types().filter((type) => type === 'notification.reminder_due').length).toBe(3)
  stop()
})

test('a new time arms a reminder again, and removing the time disarms it', async () => {
  const { params } = message()
  const bob = room.listen('bob')
  room.done('CreateReminder', 'bob', { params, body: { remind_at: inSeconds(60) } })
  await room.clock.advance(61_000)
  room.done('UpdateReminder', 'bob', { params, body: { remind_at: inSeconds(60) } })
  await room.clock.advance(61_000)
  room.done('UpdateReminder', 'bob', { params, body: { remind_at: inSeconds(60) } })
  room.done('UpdateReminder', 'bob', { params, body: { remind_at: null } })
  await room.clock.advance(61_000)
  expect(bob.types().filter((type) => type === 'notification.reminder_due').length).toBe(2)
})

test('an invalid time is refused instead of ignored', () => {
  const { params } = message()
  const set = (remind_at: unknown) => room.ask('CreateReminder', 'bob', { params, body: { remind_at } }).code
  expect(set('tomorrow')).toBe(4)
  expect(set('2026-13-40T00:00:00Z')).toBe(4)
  expect(set('')).toBeUndefined()
})

test('a campaign cannot end before it starts', () => {
  const body = { sender_id: 'root', message_template: { text: 'x' }, user_ids: ['bob'] }
  const { id } = room.done<{ campaign: { id: string } }>('CreateCampaign', ADMIN, { body }).campaign
  const start = (request: object) => room.ask('StartCampaign', ADMIN, { params: { id }, body: { ...request } }).code
  expect(start({ stop_at: inSeconds(-60) })).toBe(4)
  expect(start({ scheduled_for: inSeconds(120), stop_at: inSeconds(60) })).toBe(4)
  expect(start({ scheduled_for: inSeconds(60), stop_at: inSeconds(120) })).toBeUndefined()
})
