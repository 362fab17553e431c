import { expect, test } from 'vitest'
import { MAX_SLOT_MS, slotMsOf } from '#shared/wire/connect.ts'
import { createStaggeredClose } from './staggered-close.ts'

const slotsOf = (count: number): (number | undefined)[] => {
  const close = createStaggeredClose(count)
  return Array.from({ length: count }, () => slotMsOf(close()))
}

test('a single connection may come back at once', () => {
  expect(slotsOf(1)).toEqual([0])
})

test('fifty come back eight a second', () => {
  const slots = slotsOf(50)
  expect([slots[0], slots[8], slots[49]]).toEqual([0, 1_000, 6_125])
})

test('a thousand share half a minute', () => {
  const slots = slotsOf(1_000)
  expect([slots[0], slots.at(-1)]).toEqual([0, MAX_SLOT_MS])
  expect(slots).not.toContain(undefined)
})
