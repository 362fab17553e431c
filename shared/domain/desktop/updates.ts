/** Why this Parlor never looks for a newer one. `files`: it is run from its files, and is as new as they are. */
export type NoUpdates = 'files' | 'no-feed' | 'unsigned' | 'forbidden'

/**
 * rest: nothing newer is known. looking: the feed is being asked. found: there is a newer version. fetching: it comes, in
 * the background. ready: it is here and checked. leaving: Parlor ends to be started as the new version.
 */
type UpdateStage = 'rest' | 'looking' | 'found' | 'fetching' | 'ready' | 'leaving'

/** How it stands with newer versions, as windows show it. */
export type UpdateState = {
  /** Absent where there can be some. */
  readonly unable?: NoUpdates
  readonly stage: UpdateStage
  /** From `found` on. */
  readonly version?: string
  /** How much of it is here while it is fetched: 0 to 1. */
  readonly share?: number
  /** When the feed last answered. Epoch milliseconds. */
  readonly lookedAt?: number
  /** Why the last look or fetch came to nothing: a code with a text. */
  readonly failure?: string
  /** A notice about it stands in the windows. */
  readonly announced: boolean
  /** The newest version of the feed, which could not be installed or did not start: it is not offered again. */
  readonly refused?: string
}

export const NOTHING_NEWER: UpdateState = { stage: 'rest', announced: false }
