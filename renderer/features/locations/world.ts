import { loadCode } from '../../lib/page/part.tsx'

/** One line of the map in whole units, with its bounding box. */
type Shape = {
  readonly path: string
  readonly west: number
  readonly east: number
  readonly north: number
  readonly south: number
}

/** The outline of the world. Units count to the east and to the south, `unitsPerDegree` of them to a degree. */
export type World = {
  readonly unitsPerDegree: number
  readonly land: readonly Shape[]
  readonly borders: readonly Shape[]
}

/** A part of the map, in units. */
export type Box = { readonly west: number; readonly east: number; readonly north: number; readonly south: number }

type Stored = { readonly unitsPerDegree: number; readonly land: readonly string[]; readonly borders: readonly string[] }

let loading: Promise<World> | undefined

/** Loads the map data once per window, for the first map. */
export function loadWorld(): Promise<World> {
  if (loading !== undefined) return loading
  const world = loadCode(async () => worldOf((await import('../../../resources/map/world.json')).default))
  loading = world
  world.catch(() => void (loading = undefined))
  return world
}

export const worldOf = ({ unitsPerDegree, land, borders }: Stored): World => ({
  unitsPerDegree,
  land: land.map((line) => shapeOf(line, 'z')),
  borders: borders.map((line) => shapeOf(line, '')),
})

/** `3 4 1 0 0 2`: a first point, then steps from each to the next. */
function shapeOf(line: string, end: '' | 'z'): Shape {
  const numbers = line.split(' ').map(Number)
  let [x = 0, y = 0] = numbers
  let [west, east, north, south] = [x, x, y, y]
  for (let at = 2; at < numbers.length; at += 2) {
    x += numbers[at] ?? 0
    y += numbers[at + 1] ?? 0
    west = Math.min(west, x)
    east = Math.max(east, x)
    north = Math.min(north, y)
    south = Math.max(south, y)
  }
  const steps = numbers.slice(2).join(' ')
  return {
    path: `M${numbers[0] ?? 0} ${numbers[1] ?? 0}${steps === '' ? '' : `l${steps}`}${end}`,
    west,
    east,
    north,
    south,
  }
}

/** The shapes that intersect a box, as one path. */
export const pathIn = (shapes: readonly Shape[], box: Box): string =>
  shapes
    .filter(
      ({ west, east, north, south }) => west < box.east && east > box.west && north < box.south && south > box.north,
    )
    .map(({ path }) => path)
    .join('')
