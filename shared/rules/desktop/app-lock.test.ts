import { expect, test } from 'vitest'
import { contract } from '../../bridge/index.ts'
import { mayWhileLocked, waitAfter } from './app-lock.ts'

test('three wrong PINs cause no delay, each further one a longer delay, up to an hour', () => {
  const seconds = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100].map((wrong) => waitAfter(wrong) / 1_000)
  expect(seconds).toEqual([0, 0, 0, 10, 30, 60, 300, 900, 3_600, 3_600, 3_600])
})

test('a locked Parlor only accepts calls that unlock it, quit it or report a failure', () => {
  const calls = Object.entries(contract).flatMap(([area, names]) => Object.keys(names).map((name) => `${area}.${name}`))
  expect(calls.filter(mayWhileLocked).toSorted()).toEqual([
    'app.attach',
    'app.logFailure',
    'app.reportFocus',
    'desktop.quit',
    'desktop.safePage',
    'lock.forget',
    'lock.unlock',
  ])
})
