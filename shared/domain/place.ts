/** Degrees, north and east positive. */
export type Point = { readonly latitude: number; readonly longitude: number }

/** A place the viewer gave a name. */
export type SavedPlace = Point & { readonly name: string }

/** What is remembered of sharing places, on this computer only. */
export type PlaceMemory = {
  /** The newest first. */
  readonly saved: readonly SavedPlace[]
  /** Where the pin stood last, and how many degrees of latitude the map showed. */
  readonly last?: Point & { readonly span: number }
  /** What the viewer calls this computer, for anyone who sees a place it shares; empty: no one is told. */
  readonly device: string
}

export const PLACES_KEPT = 20
export const PLACE_NAME_LENGTH = 60

/** How exactly a place is told: as it is, to about a kilometre, or to about a city. */
export type Precision = 'exact' | 'near' | 'city'

/** Where a live place was at a time (epoch milliseconds of the server), as this computer saw it. */
export type TrackPoint = { readonly latitude: number; readonly longitude: number; readonly at: number }
