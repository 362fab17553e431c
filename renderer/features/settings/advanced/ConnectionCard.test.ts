import { expect, test } from 'vitest'
import type { Transition } from '#shared/domain/desktop/diagnostics.ts'
import { summarizeResponses, summarizeConnection } from './ConnectionCard.tsx'

const to = (at: number, state: Transition['state']): Transition => ({ at, state, transport: 'websocket' })
const call = (operation: string, answered: number, p50Ms: number, lastAt: number) => ({
  operation,
  answered,
  failed: 0,
  p50Ms,
  p95Ms: p50Ms,
  lastAt,
})

test('the first connection does not count as a reconnect; every later one does, with its gap', () => {
  const transitions = [
    to(0, 'connecting'),
    to(10, 'healthy'),
    to(100, 'unhealthy'),
    to(120, 'connecting'),
    to(141, 'healthy'),
    to(200, 'unhealthy'),
    to(205, 'healthy'),
  ]
  expect(summarizeConnection({ transitions, at: 300 }, 0)).toEqual({ since: 205, reconnects: 2, longestGapMs: 41 })
})

test('an ongoing gap counts until now, and a state starts at its first change', () => {
  const transitions = [to(10, 'healthy'), to(100, 'unhealthy'), to(150, 'unhealthy')]
  expect(summarizeConnection({ transitions, at: 180 }, 0)).toEqual({ since: 100, reconnects: 0, longestGapMs: 80 })
})

test('changes before the start of the period do not count', () => {
  const transitions = [to(10, 'healthy'), to(100, 'unhealthy'), to(150, 'healthy')]
  expect(summarizeConnection({ transitions, at: 500 }, 200)).toEqual({ since: 150, reconnects: 0, longestGapMs: 0 })
})

test('without changes there is nothing to report', () => {
  expect(summarizeConnection({ transitions: [], at: 5 }, 0)).toEqual({ reconnects: 0, longestGapMs: 0 })
})

test('responses of all calls: the latest, and the median weighted by number of calls', () => {
  expect(summarizeResponses([])).toBeUndefined()
  expect(summarizeResponses([call('a', 0, 0, 9)])).toBeUndefined()
  expect(summarizeResponses([call('a', 1, 900, 5), call('b', 8, 40, 7), call('c', 2, 10, 6)])).toEqual({
    lastAt: 7,
    medianMs: 40,
  })
})
