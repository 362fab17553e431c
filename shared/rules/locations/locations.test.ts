import { expect, test } from 'vitest'
import {
  blurred,
  distanceM,
  eastOf,
  endOfShare,
  isLive,
  lengthM,
  parseDegrees,
  parsePoint,
  shareProblem,
  spanAround,
} from './locations.ts'

const near = (typed: string): readonly string[] | undefined => {
  const point = parsePoint(typed)
  return point && [point.latitude.toFixed(4), point.longitude.toFixed(4)]
}
const TATRY = ['49.2746', '19.8683']

test.each([
  '49.2746, 19.8683',
  '49.2746 19.8683',
  '49,2746 19,8683',
  '49,2746; 19,8683',
  '49,2746, 19,8683',
  '49.2746N 19.8683E',
  'N 49.2746, E 19.8683',
  '19.8683 E, 49.2746 N',
  `49°16'28.56"N 19°52'5.88"E`,
  '49°16′28.56″ N, 19°52′5.88″ E',
  'geo:49.2746,19.8683?z=12',
  'https://www.openstreetmap.org/#map=12/49.2746/19.8683',
  'https://maps.example/maps/@49.2746,19.8683,12z',
  'https://maps.example/?q=49.2746,19.8683',
])('%s is parsed', (typed) => {
  expect(near(typed)).toEqual(TATRY)
})

test('south and west are negative, by letter or sign', () => {
  expect(near('33.8688 S, 151.2093 E')).toEqual(['-33.8688', '151.2093'])
  expect(near('-33.8688, -70.5')).toEqual(['-33.8688', '-70.5000'])
  expect(near('−0.5, 0')).toEqual(['-0.5000', '0.0000'])
})

test.each(['', 'Kraków', '91, 0', '0, 181', '12', `10°70'N 5°E`])('%j is not a location', (typed) => {
  expect(parsePoint(typed)).toBeUndefined()
})

test('a coordinate of 0 is valid', () => {
  expect(parseDegrees('0')).toBe(0)
  expect(near('0, 0')).toEqual(['0.0000', '0.0000'])
})

test('a location is rounded exactly, to about a kilometer, or to about a city', () => {
  const exact = { latitude: 49.274_612_3, longitude: 19.868_312 }
  expect(blurred(exact, 'exact')).toEqual({ latitude: 49.274_61, longitude: 19.868_31 })
  expect(blurred(exact, 'near')).toEqual({ latitude: 49.27, longitude: 19.87 })
  expect(blurred(exact, 'city')).toEqual({ latitude: 49.3, longitude: 19.9 })
})

test('AGR-06 a live share is at least 60000 ms and at most a day', () => {
  expect([undefined, 59_999, 60_000, 86_400_000, 86_400_001, Number.NaN].map((ms) => shareProblem(ms))).toEqual([
    undefined,
    'tooShort',
    undefined,
    undefined,
    'tooLong',
    'tooShort',
  ])
})

test('a share ends at its end_at to the millisecond, a static location is never live', () => {
  expect(isLive({ endAt: 100 }, 99)).toBe(true)
  expect(isLive({ endAt: 100 }, 100)).toBe(false)
  expect(isLive({}, 0)).toBe(false)
})

test('distances are measured on a sphere', () => {
  const [warsaw, krakow] = [
    { latitude: 52.2297, longitude: 21.0122 },
    { latitude: 50.0647, longitude: 19.945 },
  ]
  expect(Math.round(distanceM(warsaw, krakow) / 1_000)).toBe(252)
  expect(distanceM(warsaw, warsaw)).toBe(0)
  expect(Math.round(distanceM({ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }) / 1_000)).toBe(111)
})

test('a queued share ends at the promised time, unless too little is left to start it', () => {
  const minute = 60_000
  expect(endOfShare({ until: 15 * minute }, 0)).toEqual(15 * minute)
  expect(endOfShare({ until: 15 * minute }, 14 * minute)).toEqual(15 * minute + 2_000)
  expect(endOfShare({ until: 15 * minute }, 14.5 * minute)).toBeUndefined()
})

test('the length of a path is the sum of its parts, the short way across the date line too', () => {
  const points = [179.5, -179.5, 179.5].map((longitude) => ({ latitude: 0, longitude }))
  expect(lengthM([])).toBe(0)
  expect(lengthM(points.slice(0, 1))).toBe(0)
  expect(Math.round(lengthM(points) / 1_000)).toBe(222)
  expect(eastOf(179, -179)).toBe(2)
  expect(eastOf(-179, 179)).toBe(-2)
  expect(eastOf(0, 90)).toBe(90)
})

test('a map around a location fits a path that leads there, tall or wide, with padding', () => {
  const at = { latitude: 0, longitude: 0 }
  expect(spanAround(at, [at], 2)).toBe(0)
  expect(spanAround(at, [{ latitude: 1, longitude: 0 }], 2)).toBeGreaterThan(2)
  expect(spanAround(at, [{ latitude: 0, longitude: 4 }], 2) * 2).toBeGreaterThan(8)
})
