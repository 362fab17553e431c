import { expect, test } from 'vitest'
import { contract } from '../../bridge/index.ts'
import { isReading, READING_CALLS, canParticipate } from './guests.ts'

test('a guest takes no part, anyone who has an account does', () => {
  expect([canParticipate({ guest: true }), canParticipate({})]).toEqual([false, true])
})

test('what a guest may ask for exists, and is nothing that would be written down at the server', () => {
  const calls = Object.entries(contract).flatMap(([area, names]) => Object.keys(names).map((name) => `${area}.${name}`))
  expect(READING_CALLS.filter((call) => !calls.includes(call))).toEqual([])
  const writes = /send|edit|delete|create|add|set|vote$|pin$|mute|archive|hide$|join|leave|invite$|share$|flag|typing/i
  expect(READING_CALLS.filter((call) => writes.test(call.split('.')[1] ?? ''))).toEqual([])
  expect(isReading('messages.send')).toBe(false)
})
