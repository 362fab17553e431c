import type { UpdateState } from '#shared/domain/desktop/updates.ts'

/** No one is told of a version more often than this. */
export const TOLD_EVERY_MS = 24 * 60 * 60_000
/** A version whose installing came to nothing so often is not offered again. */
const MOST_TRIES = 2
const MOST_REFUSED = 20

/** What is known of earlier runs, kept on disk. */
export type UpdateMemory = {
  /** A version that someone did not want. */
  readonly skipped?: string
  /** No one is told of a version before then. Epoch milliseconds. */
  readonly quietUntil: number
  /** Handed to the system to be installed. `ran`: it was started, and never came so far that a window opened. */
  readonly tried?: { readonly version: string; readonly times: number; readonly ran: boolean }
  /** Versions that could not be installed, or did not come up. */
  readonly refused: readonly string[]
}

export const NO_UPDATE_MEMORY: UpdateMemory = { quietUntil: 0, refused: [] }

/**
 * At the start of a run, by its own version. What was handed over and is not what runs has failed: for good when it had
 * run and someone had to go back, or when it was tried often enough.
 */
export function atStart(memory: UpdateMemory, running: string): UpdateMemory {
  const { tried, ...rest } = memory
  if (!tried) return memory
  if (tried.version === running) return { ...rest, tried: { ...tried, ran: true } }
  if (!tried.ran && tried.times < MOST_TRIES) return memory
  return { ...rest, refused: [...rest.refused, tried.version].slice(-MOST_REFUSED) }
}

/** A window has opened: this version works. */
export function atUp(memory: UpdateMemory, running: string): UpdateMemory {
  const { tried, ...rest } = memory
  return tried?.version === running ? rest : memory
}

/** Before the program ends for it, so that the next start knows what was meant. */
export function atInstall(memory: UpdateMemory, version: string): UpdateMemory {
  const times = memory.tried?.version === version ? memory.tried.times : 0
  return { ...memory, tried: { version, times: times + 1, ran: false } }
}

export const isRefused = ({ refused }: UpdateMemory, version: string): boolean => refused.includes(version)

/** By itself; someone who looks by hand is offered what they once skipped. */
export const isWanted = ({ skipped }: UpdateMemory, version: string): boolean => skipped !== version

export const isQuiet = ({ quietUntil }: UpdateMemory, now: number): boolean => now < quietUntil

/** Told, or put off: not again for a day. A clock that was set back makes the wait no longer than that. */
export const quietFrom = (memory: UpdateMemory, now: number): UpdateMemory => ({
  ...memory,
  quietUntil: now + TOLD_EVERY_MS,
})

export const skipping = (memory: UpdateMemory, version: string): UpdateMemory => ({ ...memory, skipped: version })

export function notSkipping({ skipped: _skipped, ...memory }: UpdateMemory): UpdateMemory {
  return memory
}

export type UpdateEvent =
  | { readonly type: 'looks' | 'fetches' | 'fetched' | 'leaves' | 'tells' | 'hides' }
  | { readonly type: 'found'; readonly version: string; readonly at: number }
  | { readonly type: 'nothing'; readonly at: number; readonly refused?: string }
  | { readonly type: 'share'; readonly share: number }
  | { readonly type: 'failed'; readonly code: string }

/**
 * rest → looking → found → fetching → ready → leaving. A failure goes back to what is still true: a version that was
 * found stays found, one that is ready stays ready.
 */
export function afterUpdateEvent(state: UpdateState, event: UpdateEvent): UpdateState {
  const { share: _share, failure: _failure, refused: _refused, ...rest } = state
  switch (event.type) {
    case 'looks':
      return { ...rest, stage: 'looking' }
    case 'nothing': {
      const { version: _version, ...without } = rest
      const { at: lookedAt, refused } = event
      return { ...without, stage: 'rest', announced: false, lookedAt, ...(refused === undefined ? {} : { refused }) }
    }
    case 'found':
      return { ...rest, stage: 'found', version: event.version, lookedAt: event.at }
    case 'fetches':
      return { ...rest, stage: 'fetching', share: 0 }
    case 'share':
      return state.stage === 'fetching' ? { ...state, share: Math.min(1, Math.max(0, event.share)) } : state
    case 'fetched':
      return { ...rest, stage: 'ready' }
    case 'leaves':
      return { ...rest, stage: 'leaving', announced: false }
    case 'tells':
      return { ...state, announced: true }
    case 'hides':
      return { ...state, announced: false }
    case 'failed':
      return { ...rest, stage: stageAfterFailure(state), failure: event.code }
  }
}

function stageAfterFailure({ stage, version }: UpdateState): UpdateState['stage'] {
  if (version === undefined) return 'rest'
  return stage === 'leaving' ? 'ready' : 'found'
}
