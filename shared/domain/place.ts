/** How exactly a place is told: as it is, to about a kilometre, or to about a city. */
export type Precision = 'exact' | 'near' | 'city'

/** Where a live place was at a time (epoch milliseconds of the server), as this computer saw it. */
export type TrailPoint = { readonly latitude: number; readonly longitude: number; readonly at: number }
