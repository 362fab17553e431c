import { expect, test } from 'vitest'
import { contract } from '../../bridge/index.ts'
import { isReading, READING_CALLS, canParticipate } from './capabilities.ts'

test('a guest cannot participate, an account with a token can', () => {
  expect(canParticipate({ guest: true })).toBe(false)
  expect(canParticipate({})).toBe(true)
})

test('every call a guest can make exists, and none of them stores anything on the server', () => {
  const calls = Object.entries(contract).flatMap(([area, names]) => Object.keys(names).map((name) => `${area}.${name}`))
  expect(READING_CALLS.filter((call) => !calls.includes(call))).toEqual([])
  const writes = /send|edit|delete|create|add|set|vote$|pin$|mute|archive|hide$|join|leave|invite$|share$|flag|typing/i
  expect(READING_CALLS.filter((call) => writes.test(call.split('.')[1] ?? ''))).toEqual([])
  expect(isReading('messages.send')).toBe(false)
})
