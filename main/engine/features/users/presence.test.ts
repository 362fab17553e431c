import { expect, test } from 'vitest'
import { at, aWireUser, SETTINGS } from '#kit/lone-engine.ts'
import { reading } from '#kit/lone-talk.ts'

const elsewhere = (ms: number, more: Record<string, unknown>) => ({
  type: 'user.updated',
  created_at: at(ms),
  user: { ...aWireUser('me'), updated_at: at(ms), ...more },
})

test('presence that was set on another device is shown, and ends when this device chooses its own again', async () => {
  const lone = await reading()
  const own = () => {
    const { away, invisible } = lone.replica.tables.users?.['me'] ?? {}
    return { away, invisible }
  }
  await lone.hear(elsewhere(50, { online: false, away: true, invisible: true }))
  expect(own()).toEqual({ away: undefined, invisible: true })
  await lone.hear(elsewhere(60, { online: true, away: true, invisible: false }))
  expect(own()).toEqual({ away: true, invisible: undefined })
  const before = lone.api.to('UpdateUsersPartial').length
  lone.engine.publish({ settings: { ...SETTINGS, theme: 'dark' } })
  await lone.clock.settle()
  expect(lone.api.to('UpdateUsersPartial')).toHaveLength(before)
  lone.engine.publish({ settings: { ...SETTINGS, theme: 'dark' } })
  await lone.clock.settle()
  expect(lone.api.to('UpdateUsersPartial').slice(before)).toMatchObject([
    { body: { users: [{ id: 'me', set: { away: false } }] } },
  ])
})

test('that someone else is invisible is not known here, even if a server says it', async () => {
  const lone = await reading()
  await lone.hear({ ...elsewhere(50, {}), user: { ...aWireUser('ana'), updated_at: at(50), invisible: true } })
  expect(lone.replica.tables.users?.['ana']?.invisible).toBeUndefined()
})
