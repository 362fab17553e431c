import * as v from 'valibot'
import type { Point } from '#shared/rules/places.ts'

/** Places the viewer named, on this computer; and where the pin stood last. */
export type SavedPlace = Point & { readonly name: string }

const PLACES_KEY = 'parlor.places'
const LAST_KEY = 'parlor.places.last'
const MAX_PLACES = 20

const point = {
  latitude: v.pipe(v.number(), v.minValue(-90), v.maxValue(90)),
  longitude: v.pipe(v.number(), v.minValue(-180), v.maxValue(180)),
}
const places = v.array(v.object({ name: v.pipe(v.string(), v.minLength(1), v.maxLength(60)), ...point }))
const last = v.object({ ...point, span: v.pipe(v.number(), v.minValue(0.01), v.maxValue(180)) })

/** Storage can be switched off or full: then nothing is remembered. */
function read<T>(key: string, schema: v.GenericSchema<unknown, T>): T | undefined {
  try {
    const stored = v.safeParse(schema, JSON.parse(localStorage.getItem(key) ?? 'null'))
    return stored.success ? stored.output : undefined
  } catch {
    return undefined
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch (reason) {
    console.debug('places not kept', reason)
  }
}

export const readPlaces = (): readonly SavedPlace[] => read(PLACES_KEY, places) ?? []

/** A place of the same name gives way. Answers what is kept now. */
export function savePlace(place: SavedPlace): readonly SavedPlace[] {
  const kept = [place, ...readPlaces().filter(({ name }) => name !== place.name)].slice(0, MAX_PLACES)
  write(PLACES_KEY, kept)
  return kept
}

export function forgetPlace(name: string): readonly SavedPlace[] {
  const kept = readPlaces().filter((place) => place.name !== name)
  write(PLACES_KEY, kept)
  return kept
}

export const readLast = (): (Point & { readonly span: number }) | undefined => read(LAST_KEY, last)
export const rememberLast = (at: Point & { readonly span: number }): void => write(LAST_KEY, at)
