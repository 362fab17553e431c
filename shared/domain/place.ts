/** Degrees, north and east positive. */
export type Point = { readonly latitude: number; readonly longitude: number }

/** A location the viewer named. */
export type SavedPlace = Point & { readonly name: string }

/** Remembered state of location sharing, on this device only. */
export type PlaceMemory = {
  /** The newest first. */
  readonly saved: readonly SavedPlace[]
  /** The last position of the pin, and how many degrees of latitude the map showed. */
  readonly last?: Point & { readonly span: number }
  /** The viewer's name for this device, sent with a shared location; empty: not sent. */
  readonly device: string
}

export const MAX_SAVED_PLACES = 20
export const PLACE_NAME_LENGTH = 60

/** Precision of a shared location: exact, to about a kilometer, or to about a city. */
export type Precision = 'exact' | 'near' | 'city'

/** The position of a live location at a time (epoch milliseconds of the server), as received on this device. */
export type TrackPoint = { readonly latitude: number; readonly longitude: number; readonly at: number }
