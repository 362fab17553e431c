import { isLatitude, isLongitude, type Point } from '#shared/rules/places.ts'
import { fieldsOf, keep, readKept } from '../../lib/kept.ts'

/** Places the viewer named, on this computer; and where the pin stood last. */
export type SavedPlace = Point & { readonly name: string }

const PLACES_KEY = 'parlor.places'
const LAST_KEY = 'parlor.places.last'
const MAX_PLACES = 20

function pointOf(value: unknown): Point | undefined {
  const { latitude, longitude } = fieldsOf(value) ?? {}
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  return isLatitude(latitude) && isLongitude(longitude) ? { latitude, longitude } : undefined
}

export function readPlaces(): readonly SavedPlace[] {
  const kept = readKept(PLACES_KEY)
  if (!Array.isArray(kept)) return []
  return kept.flatMap((place: unknown) => {
    const [point, name] = [pointOf(place), fieldsOf(place)?.['name']]
    return point === undefined || typeof name !== 'string' ? [] : [{ ...point, name }]
  })
}

/** A place of the same name gives way. Answers what is kept now. */
export function savePlace(place: SavedPlace): readonly SavedPlace[] {
  const kept = [place, ...readPlaces().filter(({ name }) => name !== place.name)].slice(0, MAX_PLACES)
  keep(PLACES_KEY, kept)
  return kept
}

export function forgetPlace(name: string): readonly SavedPlace[] {
  const kept = readPlaces().filter((place) => place.name !== name)
  keep(PLACES_KEY, kept)
  return kept
}

export function readLast(): (Point & { readonly span: number }) | undefined {
  const kept = readKept(LAST_KEY)
  const [point, span] = [pointOf(kept), fieldsOf(kept)?.['span']]
  return point === undefined || typeof span !== 'number' || !(span > 0) ? undefined : { ...point, span }
}

export const rememberLast = (at: Point & { readonly span: number }): void => keep(LAST_KEY, at)

const DEVICE_KEY = 'parlor.places.device'
export const DEVICE_LENGTH = 60

/** What the viewer calls this computer, for whoever sees a place it shares; empty: nobody is told. */
export function readDevice(): string {
  const kept = readKept(DEVICE_KEY)
  return typeof kept === 'string' ? kept.slice(0, DEVICE_LENGTH) : ''
}

export const rememberDevice = (name: string): void => keep(DEVICE_KEY, name.trim() === '' ? undefined : name.trim())
