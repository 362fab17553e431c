import { expect, test } from 'vitest'
import * as s from './shapes.ts'
import { badTimes, faultsOf } from './faults.ts'

const AT = '2026-03-02T09:00:00.000001Z'
const user = { id: 'ann', role: 'user', online: true, banned: false, created_at: AT, updated_at: AT }
const message = {
  id: 'm',
  cid: 'messaging:one',
  text: '',
  html: '',
  type: 'regular',
  user,
  attachments: [],
  mentioned_users: [],
  reply_count: 0,
  deleted_reply_count: 0,
  latest_reactions: [],
  own_reactions: [],
  reaction_groups: null,
  reaction_counts: {},
  reaction_scores: {},
  pinned: false,
  pinned_at: null,
  silent: false,
  shadowed: false,
  created_at: AT,
  updated_at: AT,
}

test('a whole message has no fault, custom keys are allowed, and each missing field is a fault', () => {
  expect(faultsOf(s.message, { ...message, mood: { deep: [1] } })).toEqual([])
  for (const key of Object.keys(message)) {
    const { [key]: _omitted, ...rest } = message as Record<string, unknown>
    expect(faultsOf(s.message, rest).length, key).toBe(1)
  }
})

test.each(['2026-03-02 09:00:00Z', '2026-03-02T09:00:00', '2026-03-02T09:00:00+01:00', '1772442000', ''])(
  '%s is not a time',
  (value) => {
    expect(faultsOf(s.message, { ...message, created_at: value })).toEqual(['created_at: is no RFC 3339 time in UTC'])
    expect(badTimes({ one: [{ deleted_at: value }] })).toEqual([`.one.0.deleted_at = ${value}`])
  },
)

test('up to nine digits of a second may come before the Z, or none', () => {
  for (const value of ['2026-03-02T09:00:00Z', '2026-03-02T09:00:00.123456789Z'])
    expect(badTimes({ at: value, x_at: value })).toEqual([])
})
