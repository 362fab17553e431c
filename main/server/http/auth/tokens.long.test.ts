import { expect, test } from 'vitest'
import { noteCovered } from '#kit/runs.ts'
import { createToken, verifyToken } from './identify.ts'

const SECRET = 'a-secret-for-tests-of-more-than-32-bytes'
const SAMPLES = 20_000

/** The only test that measures time: a comparison in constant time takes as long wherever the texts differ. */
test('SRV-02 a signature wrong at its beginning takes as long as one wrong at its end', () => {
  const [head = '', payload = '', signature = ''] = createToken({ userId: 'ann' }, SECRET).split('.')
  const wrongAt = (at: number): string => {
    const other = signature[at] === 'A' ? 'B' : 'A'
    return `${head}.${payload}.${signature.slice(0, at)}${other}${signature.slice(at + 1)}`
  }
  const wrong = [wrongAt(0), wrongAt(40)]
  const times: [number[], number[]] = [[], []]
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const which = sample % 2 === 0 ? 0 : 1
    const started = performance.now()
    verifyToken(wrong[which] ?? '', SECRET, 1_800_000_000_000)
    times[which].push(performance.now() - started)
  }
  const [first, last] = times.map((each) => each.toSorted((a, b) => a - b)[each.length / 2] ?? 0) as [number, number]
  expect(Math.abs(first - last) / Math.max(first, last)).toBeLessThan(0.2)
  noteCovered({ kind: 'measured refusals of wrong signatures', isFresh: false, count: SAMPLES })
})
