import { beforeEach, expect, test } from 'vitest'
import { clearSpeed, keepSpeed, readSpeed, SPEED_KINDS, summarizeSpeed } from './speed.ts'

beforeEach(() => localStorage.clear())

test('the last 50 measurements of each kind are kept, as whole milliseconds', () => {
  for (let ms = 1; ms <= 60; ms += 1) keepSpeed('send', ms + 0.2)
  keepSpeed('start', 900)
  const { send = [], start } = readSpeed()
  expect(send).toEqual(Array.from({ length: 50 }, (_, at) => at + 11))
  expect(start).toEqual([900])
})

test('what is stored is numbers by kind, and nothing is left of them once cleared', () => {
  keepSpeed('search', 40)
  const stored: unknown = JSON.parse(localStorage.getItem('parlor.speed') ?? '')
  expect(stored).toEqual({ ...Object.fromEntries(SPEED_KINDS.map((kind) => [kind, []])), search: [40] })
  clearSpeed()
  expect(localStorage.length).toBe(0)
})

test.each(['not JSON', 'null', '{"send":"fast","again":[-1,null,"3",7]}'])(
  'damaged storage %s counts nothing',
  (text) => {
    localStorage.setItem('parlor.speed', text)
    expect(readSpeed().send ?? []).toEqual([])
    expect((readSpeed().again ?? []).every((ms) => ms >= 0)).toBe(true)
  },
)

test.each([
  { times: [30, 10, 20], medianMs: 20, slowestMs: 30 },
  { times: [10, 40, 20, 30], medianMs: 25, slowestMs: 40 },
  { times: [5], medianMs: 5, slowestMs: 5 },
])('half of $times are below $medianMs', ({ times, medianMs, slowestMs }) => {
  expect(summarizeSpeed(times)).toEqual({ count: times.length, medianMs, slowestMs })
})

test('nothing measured has no summary', () => {
  expect(summarizeSpeed([])).toBeUndefined()
})
