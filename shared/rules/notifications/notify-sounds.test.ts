import { expect, test } from 'vitest'
import { DEFAULT_NOTIFICATIONS } from '#shared/domain/settings.ts'
import { ownSound, soundOfMessage } from './notifying.ts'

const choices = { sounds: { ...DEFAULT_NOTIFICATIONS.sounds, message: 'drop', meant: 'knock' } } as const

test.each([
  ['direct', 'knock'],
  ['mention', 'knock'],
  ['keyword', 'knock'],
  ['thread', 'drop'],
  ['channel', 'drop'],
] as const)('a notification because of %s has the sound %s', (cause, sound) => {
  expect(soundOfMessage(choices, cause)).toBe(sound)
})

test('the system sound and no sound are not sounds of Parlor', () => {
  expect(ownSound('system')).toBeUndefined()
  expect(ownSound('none')).toBeUndefined()
  expect(ownSound(undefined)).toBeUndefined()
  expect(ownSound('bell')).toBe('bell')
})
