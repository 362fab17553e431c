import type { UpdateState } from '../../domain/desktop/desktop.ts'

/** Minimum interval between announcements of updates. */
export const ANNOUNCE_INTERVAL_MS = 24 * 60 * 60_000
/** A version that failed to install this many times is not offered again. */
const MOST_TRIES = 2
/** A listed file that was not what the list says this many times is downloaded again only on request. */
const MOST_DAMAGED = 2
/** From this start on, a new version that has opened no window tells the user how to leave it. */
const STARTS_BEFORE_HELP = 2
const MOST_REFUSED = 20

/** State of updates across runs, stored on disk. */
export type UpdateMemory = {
  /** A version the user skipped. */
  readonly skipped?: string
  /** Updates are not announced before then. Epoch milliseconds. */
  readonly quietUntil: number
  /**
   * Passed to the system for installation by the version `from`. `ran`: it was installed or started, and has not opened
   * a window; `starts`: so often. `declined`: not installed, because the user did not allow it.
   */
  readonly tried?: {
    readonly version: string
    readonly times: number
    readonly ran: boolean
    readonly from?: string
    readonly starts?: number
    readonly declined?: boolean
  }
  /** A listed file (its checksum) that was something else when it was downloaded, so many times. */
  readonly damaged?: { readonly file: string; readonly times: number }
  /** Versions that could not be installed, or did not start. */
  readonly refused: readonly string[]
}

export const NO_UPDATE_MEMORY: UpdateMemory = { quietUntil: 0, refused: [] }

/**
 * At the start of a run, given its own version. A tried version that is not the running one has failed: permanently if
 * it had been in its place and was rolled back, or if it was tried often enough.
 */
export function atStart(memory: UpdateMemory, running: string): UpdateMemory {
  const { tried, ...rest } = memory
  if (!tried) return memory
  if (tried.version === running) return { ...rest, tried: { ...tried, ran: true, starts: (tried.starts ?? 0) + 1 } }
  if (!tried.ran && tried.times < MOST_TRIES) return memory
  return { ...rest, refused: [...rest.refused, tried.version].slice(-MOST_REFUSED) }
}

/** A window has opened: this version works. */
export function atUp(memory: UpdateMemory, running: string): UpdateMemory {
  const { tried, ...rest } = memory
  return tried?.version === running ? rest : memory
}

/** Before the program quits to install, so that the next start can check the result. */
export function atInstall(memory: UpdateMemory, version: string, running: string): UpdateMemory {
  const times = memory.tried?.version === version ? memory.tried.times : 0
  return { ...memory, tried: { version, times: times + 1, ran: false, from: running } }
}

/** The new version has replaced this one: if this one runs again, someone has restored it. */
export const atPlaced = (memory: UpdateMemory): UpdateMemory =>
  memory.tried ? { ...memory, tried: { ...memory.tried, ran: true } } : memory

/** The user did not give the password: that is a decision, not a failure of the version. */
export const atDeclined = (memory: UpdateMemory): UpdateMemory =>
  memory.tried ? { ...memory, tried: { ...memory.tried, times: memory.tried.times - 1, declined: true } } : memory

/** After `atStart`: why a version that was handed to the system is not the running one. */
export function whyNotInstalled(
  { tried }: UpdateMemory,
  running: string,
): 'update/declined' | 'update/not-installed' | undefined {
  if (tried === undefined || tried.version === running) return undefined
  return tried.declined === true ? 'update/declined' : 'update/not-installed'
}

/** After `atStart`: the version before this one, if this one has been started again without ever opening a window. */
export const versionBefore = ({ tried }: UpdateMemory, running: string): string | undefined =>
  tried?.version === running && (tried.starts ?? 0) >= STARTS_BEFORE_HELP ? tried.from : undefined

export const isRefused = ({ refused }: UpdateMemory, version: string): boolean => refused.includes(version)

/** Downloaded, and not the listed file. */
export const afterDamage = (memory: UpdateMemory, file: string): UpdateMemory => ({
  ...memory,
  damaged: { file, times: (memory.damaged?.file === file ? memory.damaged.times : 0) + 1 },
})

/** Not worth another download in the background: it would be the same file again. */
export const isDamaged = ({ damaged }: UpdateMemory, file: string): boolean =>
  damaged?.file === file && damaged.times >= MOST_DAMAGED

export function withoutDamage(memory: UpdateMemory): UpdateMemory {
  const { damaged, ...rest } = memory
  return damaged === undefined ? memory : rest
}

/** For automatic checks; a manual check also offers a skipped version. */
export const isWanted = ({ skipped }: UpdateMemory, version: string): boolean => skipped !== version

export const isQuiet = ({ quietUntil }: UpdateMemory, now: number): boolean => now < quietUntil

/** After an announcement or a postponement: quiet for a day. If the clock was set back, no longer than that. */
export const quietFrom = (memory: UpdateMemory, now: number): UpdateMemory => ({
  ...memory,
  quietUntil: now + ANNOUNCE_INTERVAL_MS,
})

export const skipping = (memory: UpdateMemory, version: string): UpdateMemory => ({ ...memory, skipped: version })

export function notSkipping({ skipped: _skipped, ...memory }: UpdateMemory): UpdateMemory {
  return memory
}

export type UpdateEvent =
  | {
      readonly type: 'check-started' | 'download-started' | 'downloaded' | 'install-started' | 'announced' | 'dismissed'
    }
  | { readonly type: 'found'; readonly version: string; readonly at: number }
  | { readonly type: 'nothing'; readonly at: number; readonly refused?: string }
  | { readonly type: 'share'; readonly share: number }
  | { readonly type: 'failed'; readonly code: string }

/**
 * rest → looking → found → fetching → ready → leaving. A failure returns to the last valid state: a found version stays
 * found, a ready one stays ready.
 */
export function afterUpdateEvent(state: UpdateState, event: UpdateEvent): UpdateState {
  const { share: _share, failure: _failure, refused: _refused, ...rest } = state
  switch (event.type) {
    case 'check-started':
      return { ...rest, stage: 'looking' }
    case 'nothing': {
      const { version: _version, ...without } = rest
      const { at: lookedAt, refused } = event
      return { ...without, stage: 'rest', announced: false, lookedAt, ...(refused === undefined ? {} : { refused }) }
    }
    case 'found':
      return { ...rest, stage: 'found', version: event.version, lookedAt: event.at }
    case 'download-started':
      return { ...rest, stage: 'fetching', share: 0 }
    case 'share':
      return state.stage === 'fetching' ? { ...state, share: Math.min(1, Math.max(0, event.share)) } : state
    case 'downloaded':
      return { ...rest, stage: 'ready' }
    case 'install-started':
      return { ...rest, stage: 'leaving', announced: false }
    case 'announced':
      return { ...state, announced: true }
    case 'dismissed':
      return { ...state, announced: false }
    case 'failed':
      return { ...rest, stage: stageAfterFailure(state), failure: event.code }
  }
}

function stageAfterFailure({ stage, version }: UpdateState): UpdateState['stage'] {
  if (version === undefined) return 'rest'
  return stage === 'leaving' ? 'ready' : 'found'
}
