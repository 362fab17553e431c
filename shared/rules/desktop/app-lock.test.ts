import { expect, test } from 'vitest'
import { contract } from '../../bridge/index.ts'
import { mayWhileLocked, waitAfter } from './app-lock.ts'

test('three wrong PINs cost nothing but the try, each further one waits longer, up to an hour', () => {
  const seconds = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100].map((wrong) => waitAfter(wrong) / 1_000)
  expect(seconds).toEqual([0, 0, 0, 10, 30, 60, 300, 900, 3_600, 3_600, 3_600])
})

test('a locked Parlor answers only what unlocks it, ends it or reports a fault', () => {
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
