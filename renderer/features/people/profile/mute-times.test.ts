import { expect, test } from 'vitest'
import { muteChoices, muteEnd, muteLength } from './MuteDialog.tsx'

const local = (day: number, hours: number, minutes = 0): number => new Date(2026, 10, day, hours, minutes).getTime()

test('until tomorrow is nine in the morning of the next day, also shortly after midnight', () => {
  expect(muteEnd('tomorrow', local(20, 17, 30))).toBe(local(21, 9))
  expect(muteEnd('tomorrow', local(20, 0, 5))).toBe(local(21, 9))
})

test('until Monday is the next one, and on a Monday that of the week after', () => {
  // 20 November 2026 is a Friday.
  expect(muteEnd('monday', local(20, 12))).toBe(local(23, 9))
  expect(muteEnd('monday', local(23, 12))).toBe(local(30, 9))
})

test('on a Sunday, Monday is tomorrow and is offered once', () => {
  expect(muteChoices(local(22, 12))).not.toContain('monday')
  expect(muteChoices(local(20, 12))).toContain('monday')
})

test('"always" has no length; the others are whole milliseconds', () => {
  expect(muteLength('always', local(20, 12))).toBeUndefined()
  expect(muteLength('30m', local(20, 12) + 0.25)).toBe(1_800_000)
})
