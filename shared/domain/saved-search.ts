import type { Cid } from '../lib/brand.ts'

/** A search query saved under a name. */
export type SavedSearch = {
  /** Unique, ignoring case and accents (`fold`). */
  readonly name: string
  /** Text of the field, without the filters. */
  readonly text: string
  /** Filters as they were typed: `from:ola`. */
  readonly chips: readonly string[]
  /** Only in this channel. */
  readonly cid?: Cid
  /** The selected kind of results. */
  readonly tab: 'messages' | 'files' | 'channels' | 'people'
}

/** Maximum per person and workspace, and maximum length of a name. */
export const MAX_SAVED_SEARCHES = 50
export const SEARCH_NAME_LENGTH = 80
