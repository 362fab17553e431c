import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The fastest change that does not count as flashing: three times a second. */
const SLOWEST_FLASH_MS = 1_000 / 3

test('nothing that repeats changes three times a second or faster', () => {
  const repeated = globSync('renderer/**/*.css').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/animation:([^;]*\binfinite\b[^;]*);/g)].map(([, rule = '']) => {
      const [, amount = '0', unit] = /(?:^|\s)([\d.]+)(ms|s)\b/.exec(rule) ?? []
      return { rule: `${path}:${rule}`, lastsMs: Number(amount) * (unit === 's' ? 1_000 : 1) }
    }),
  )
  expect(repeated.length).toBeGreaterThan(3)
  expect(repeated.filter(({ lastsMs }) => lastsMs <= SLOWEST_FLASH_MS)).toEqual([])
})
