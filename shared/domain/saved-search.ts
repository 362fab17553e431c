import type { Cid } from '../lib/brand.ts'

/** A question of the search that someone keeps under a name. */
export type SavedSearch = {
  /** Told apart by their names, however these are spelled (`fold`). */
  readonly name: string
  /** What stands in the field, without the filters. */
  readonly text: string
  /** Filters as they were typed: `from:ola`. */
  readonly chips: readonly string[]
  /** Only in this channel. */
  readonly cid?: Cid
  /** Which kind of results was looked at. */
  readonly tab: 'messages' | 'files' | 'channels' | 'people'
}

/** How many one person keeps in one workspace, and how long a name may be. */
export const SEARCHES_KEPT = 50
export const SEARCH_NAME_LENGTH = 80
