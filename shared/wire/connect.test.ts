import { expect, test } from 'vitest'
import { MAX_SLOT_MS, staggeredClose, slotMsOf } from './connect.ts'

test.each([0, 125, MAX_SLOT_MS])('a close reason with a slot of %d milliseconds is parsed to that slot', (slotMs) => {
  expect(slotMsOf(staggeredClose(slotMs))).toBe(slotMs)
})

test.each([
  [1012, ''],
  [1012, 'service restart'],
  [1012, 'come back after 30001 ms'],
  [1012, 'come back after -5 ms'],
  [1012, 'come back after 1.5 ms'],
  [1012, 'come back after 007 ms'],
  [1012, 'come back after 99999999 ms'],
  [1012, 'please come back after 5 ms'],
  [1001, 'come back after 5 ms'],
  [1006, ''],
])('a close %d "%s" gives no one a slot', (code, reason) => {
  expect(slotMsOf({ code, reason })).toBeUndefined()
})
