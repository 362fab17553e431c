import { expect, test } from 'vitest'
import { afterCrash, type Crashes } from './window-options.ts'

const outcomes = (...times: readonly number[]) => {
  let crashes: Crashes = []
  return times.map((now) => {
    const decision = afterCrash(crashes, now)
    crashes = decision.crashes
    return decision.next
  })
}

test.each([
  ['one crash', [0], ['reload']],
  ['two in a minute', [0, 5_000], ['reload', 'reload']],
  ['three in a minute', [0, 5_000, 59_999], ['reload', 'reload', 'ask']],
  ['three in more than a minute', [0, 5_000, 60_000], ['reload', 'reload', 'reload']],
  ['and a fourth at once', [0, 1, 2, 3], ['reload', 'reload', 'ask', 'ask']],
] as const)('%s', (_name, times, expected) => {
  expect(outcomes(...times)).toEqual(expected)
})
