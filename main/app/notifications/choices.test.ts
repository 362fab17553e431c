import { expect, test } from 'vitest'
import { DEFAULT_NOTIFICATIONS } from '#shared/domain/settings.ts'
import { choicesWhenLocked } from './delivery.ts'

test('while the screen is locked no message text is shown', () => {
  let lock = (): void => {}
  let unlock = (): void => {}
  const power = {
    onSuspend: () => {},
    onResume: () => {},
    onLock: (fn: () => void) => void (lock = fn),
    onUnlock: (fn: () => void) => void (unlock = fn),
  }
  const choices = choicesWhenLocked(power, () => DEFAULT_NOTIFICATIONS)
  const before = choices().preview
  lock()
  const locked = choices()
  unlock()
  expect(before).toBe('full')
  expect(locked.preview).toBe('nothing')
  expect(choices().preview).toBe('full')
  expect({ ...locked, preview: 'full' }).toEqual(DEFAULT_NOTIFICATIONS)
})
