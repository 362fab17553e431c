/** How exactly a place is told: as it is, to about a kilometre, or to about a city. */
export type Precision = 'exact' | 'near' | 'city'
