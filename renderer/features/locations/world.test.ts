import { expect, test } from 'vitest'
import stored from '../../../resources/map/world.json'
import places from '../../../resources/map/places.json'
import { labelsIn, pathIn, townsOf, worldOf, type Box } from './WorldMap.tsx'

const TINY = worldOf({ unitsPerDegree: 10, land: ['0 0 10 0 0 10', '100 100 1 0 0 1'], borders: ['5 5 5 5'] })
const BOX: Box = { west: -5, east: 20, north: -5, south: 20 }

test('a path has relative steps from its first point; land is closed, borders are not', () => {
  expect(TINY.land[0]?.path).toBe('M0 0l10 0 0 10z')
  expect(TINY.borders[0]?.path).toBe('M5 5l5 5')
})

test('only shapes in view are in the path', () => {
  expect(pathIn(TINY.land, BOX)).toBe('M0 0l10 0 0 10z')
  expect(pathIn(TINY.land, { ...BOX, west: 90, east: 120, north: 90, south: 120 })).toBe('M100 100l1 0 0 1z')
})

test('the bundled outline is within valid coordinates and has land around Kraków', () => {
  const world = worldOf(stored)
  const unit = world.unitsPerDegree
  const shapes = [...world.land, ...world.borders]
  expect(shapes.every(({ west, east }) => west >= -180 * unit && east <= 180 * unit)).toBe(true)
  expect(shapes.every(({ north, south }) => north >= -90 * unit && south <= 90 * unit)).toBe(true)
  const krakow = { west: 19 * unit, east: 21 * unit, north: -51 * unit, south: -49 * unit }
  expect(pathIn(world.land, krakow)).not.toBe('')
  expect(pathIn(world.borders, krakow)).not.toBe('')
})

test('no line crosses the map: land on both sides of the date line is two shapes', () => {
  const leaps = stored.land.flatMap((line) =>
    line
      .split(' ')
      .slice(2)
      .map(Number)
      .filter((step, at) => at % 2 === 0 && Math.abs(step) > 180 * stored.unitsPerDegree),
  )
  expect(leaps.length).toBeLessThanOrEqual(1) // Antarctica goes round the pole.
})

const KRAKOW = { latitude: 50.06, longitude: 19.94 }
const CARD = { at: KRAKOW, span: 5, ratio: 440 / 144, width: 440, height: 144 }

test('the map around Kraków names it and its large neighbors, largest first, and no name touches another or the pin', () => {
  const labels = labelsIn(townsOf(places, 'en'), CARD)
  const names = labels.map(({ name }) => name)
  expect(names).toContain('Kraków')
  expect(names.length).toBeGreaterThanOrEqual(5)
  const boxes = [{ left: 196, top: 14, width: 48, height: 64 }, ...labels.map(({ box }) => box)]
  const touching = boxes.flatMap((a, at) =>
    boxes
      .slice(at + 1)
      .filter(
        (b) =>
          a.left < b.left + b.width &&
          b.left < a.left + a.width &&
          a.top < b.top + b.height &&
          b.top < a.top + a.height,
      ),
  )
  expect(touching).toEqual([])
  expect(labels.every(({ box }) => box.left >= 0 && box.left + box.width <= 440)).toBe(true)
})

test('no name covers the dot of another town, and a name reads from its own dot', () => {
  for (const span of [2, 5, 9, 12]) {
    const labels = labelsIn(townsOf(places, 'en'), { ...CARD, span })
    const covered = labels.filter(({ box }) =>
      labels.some(
        ({ dot }) =>
          dot.x > box.left && dot.x < box.left + box.width && dot.y > box.top && dot.y < box.top + box.height,
      ),
    )
    expect(covered).toEqual([])
    for (const { dot, box, align } of labels) {
      const anchor = { start: box.left, end: box.left + box.width, center: box.left + box.width / 2 }[align]
      expect(Math.abs(anchor - dot.x)).toBeLessThanOrEqual(6.001)
    }
  }
})

test('no name is under the buttons in the lower corner', () => {
  for (const span of [2, 5, 9, 12]) {
    const labels = labelsIn(townsOf(places, 'en'), { ...CARD, span, tools: 3 })
    expect(labels.filter(({ box }) => box.left + box.width > 440 - 44 && box.top + box.height > 144 - 106)).toEqual([])
  }
})

test('the closest zoom of a city still has a name, and before the size is known there is none', () => {
  const towns = townsOf(places, 'en')
  expect(labelsIn(towns, { ...CARD, span: 0.4 }).length).toBeGreaterThan(0)
  expect(labelsIn(towns, { ...CARD, width: 0, height: 0 })).toEqual([])
})

test.each([
  ['en', { warsaw: 'Warsaw', moscow: 'Moscow', wroclaw: 'Wrocław' }],
  ['pl', { warsaw: 'Warszawa', moscow: 'Moskwa', wroclaw: 'Wrocław' }],
  ['ru', { warsaw: 'Варшава', moscow: 'Москва', wroclaw: 'Wrocław' }],
] as const)(
  'in %s a town has its name in that language where the data has one',
  (language, { warsaw, moscow, wroclaw }) => {
    const towns = townsOf(places, language)
    const nameAt = (east: number, south: number): string | undefined =>
      towns.find((town) => Math.hypot(town.east - east, town.south - south) < 0.05)?.name
    expect(nameAt(21.01, -52.23)).toBe(warsaw)
    expect(nameAt(37.62, -55.75)).toBe(moscow)
    expect(nameAt(17.03, -51.1)).toBe(wroclaw)
  },
)

test('towns across the date line are in the view', () => {
  const fiji = labelsIn(townsOf(places, 'en'), { ...CARD, at: { latitude: -17.5, longitude: -179.9 }, span: 4 })
  expect(fiji.map(({ name }) => name)).toContain('Suva')
})
