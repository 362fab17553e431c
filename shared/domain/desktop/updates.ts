/** Why this Parlor never checks for updates. `files`: it runs from source; `unpacked`: from an archive. */
export type NoUpdates = 'files' | 'unpacked' | 'no-feed' | 'unsigned' | 'forbidden'

/**
 * rest: no newer version known. looking: checking the feed. found: there is a newer version. fetching: downloading it
 * in the background. ready: downloaded and verified. leaving: Parlor quits to start the new version.
 */
type UpdateStage = 'rest' | 'looking' | 'found' | 'fetching' | 'ready' | 'leaving'

/** The state of updates, as windows show it. */
export type UpdateState = {
  /** Absent where updates are supported. */
  readonly unable?: NoUpdates
  readonly stage: UpdateStage
  /** From `found` on. */
  readonly version?: string
  /** Download progress: 0 to 1. */
  readonly share?: number
  /** When the feed last responded. Epoch milliseconds. */
  readonly lookedAt?: number
  /** Why the last check or download failed: a code with a text. */
  readonly failure?: string
  /** Windows show a notice about it. */
  readonly announced: boolean
  /** The newest version of the feed, which could not be installed or did not start: it is not offered again. */
  readonly refused?: string
}

export const NOTHING_NEWER: UpdateState = { stage: 'rest', announced: false }
