import { expect, test } from 'vitest'
import { MAX_SLOT_MS, slotMsOf } from '#shared/wire/connect.ts'
import { createStaggeredClose } from './connection.ts'

const slotsOf = (count: number): (number | undefined)[] => {
  const close = createStaggeredClose(count)
  return Array.from({ length: count }, () => slotMsOf(close()))
}

test('a single connection may come back at once', () => {
  expect(slotsOf(1)).toEqual([0])
})

test('fifty come back eight a second', () => {
  const slots = slotsOf(50)
  expect(slots[0]).toBe(0)
  expect(slots[8]).toBe(1_000)
  expect(slots[49]).toBe(6_125)
})

test('a thousand share half a minute', () => {
  const slots = slotsOf(1_000)
  expect(slots[0]).toBe(0)
  expect(slots.at(-1)).toEqual(MAX_SLOT_MS)
  expect(slots).not.toContain(undefined)
})
