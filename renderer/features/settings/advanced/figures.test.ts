import { expect, test } from 'vitest'
import type { Transition } from '#shared/domain/desktop/diagnostics.ts'
import { readAnswers, readLine } from './figures.ts'

const to = (at: number, state: Transition['state']): Transition => ({ at, state, transport: 'websocket' })
const call = (operation: string, answered: number, p50Ms: number, lastAt: number) => ({
  operation,
  answered,
  failed: 0,
  p50Ms,
  p95Ms: p50Ms,
  lastAt,
})

test('the first connection is no reconnect; every return after it is one, with its gap', () => {
  const transitions = [
    to(0, 'connecting'),
    to(10, 'healthy'),
    to(100, 'unhealthy'),
    to(120, 'connecting'),
    to(141, 'healthy'),
    to(200, 'unhealthy'),
    to(205, 'healthy'),
  ]
  expect(readLine({ transitions, at: 300 }, 0)).toEqual({ since: 205, reconnects: 2, longestGapMs: 41 })
})

test('a gap that lasts counts until now, and the state is as old as its first change', () => {
  const transitions = [to(10, 'healthy'), to(100, 'unhealthy'), to(150, 'unhealthy')]
  expect(readLine({ transitions, at: 180 }, 0)).toEqual({ since: 100, reconnects: 0, longestGapMs: 80 })
})

test('what was over before the day began does not count', () => {
  const transitions = [to(10, 'healthy'), to(100, 'unhealthy'), to(150, 'healthy')]
  expect(readLine({ transitions, at: 500 }, 200)).toEqual({ since: 150, reconnects: 0, longestGapMs: 0 })
})

test('nothing has changed yet', () => {
  expect(readLine({ transitions: [], at: 5 }, 0)).toEqual({ reconnects: 0, longestGapMs: 0 })
})

test('answers of all calls: the latest, and the middle by how often each was asked', () => {
  expect(readAnswers([])).toBeUndefined()
  expect(readAnswers([call('a', 0, 0, 9)])).toBeUndefined()
  expect(readAnswers([call('a', 1, 900, 5), call('b', 8, 40, 7), call('c', 2, 10, 6)])).toEqual({
    lastAt: 7,
    medianMs: 40,
  })
})
