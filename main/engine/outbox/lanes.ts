import type { Intent } from '#shared/domain/intent.ts'

/** How many requests of each class are under way at once. No class takes a place of another. */
export const MAX_IN_FLIGHT = {
  /** Messages and what is done to them: channels, and threads beside them. */
  talk: 8,
  /** Files. */
  upload: 2,
  /** Channels that one request marks as read; the next request leaves when it is answered. See docs/wire.md 3.2. */
  marks: 30,
  /** What no one waits for: reminders, people, drafts, threads that were read. */
  aside: 2,
} as const
type LaneClass = keyof typeof MAX_IN_FLIGHT

/** One request can name it among others: a channel and its message, but no thread. */
export const travelsWithOthers = (intent: Intent): boolean =>
  intent.kind === 'mark-read' && intent.parentId === undefined && intent.payload.upTo !== undefined

type Standing = { readonly lane: string; readonly among: LaneClass }

/** Where an intent keeps its order, and with which others it shares places. */
function standingOf(intent: Intent): Standing {
  switch (intent.kind) {
    case 'upload':
      return { lane: `upload:${intent.payload.uploadId}`, among: 'upload' }
    case 'mark-read':
      return {
        lane: `read:${intent.cid}/${intent.parentId ?? ''}`,
        among: travelsWithOthers(intent) ? 'marks' : 'aside',
      }
    case 'set-reminder':
    case 'delete-reminder':
      return { lane: `reminder:${intent.messageId ?? intent.id}`, among: 'aside' }
    case 'block-person':
    case 'unblock-person':
      return { lane: `person:${intent.payload.userId}`, among: 'aside' }
    case 'create-draft':
    case 'delete-draft':
      return { lane: `draft:${intent.cid}/${intent.parentId ?? ''}`, among: 'aside' }
    case 'send-message':
    case 'edit-message':
    case 'delete-message':
    case 'send-reaction':
    case 'delete-reaction':
    case 'pin-message':
    case 'cast-vote':
    case 'remove-vote':
      return { lane: `${intent.cid}/${intent.parentId ?? ''}`, among: 'talk' }
  }
}

/**
 * The lane in which an intent keeps its order. Messages and what is done to them share the lane of their channel and
 * thread; reads, reminders, people and files wait for no one and hold up no one.
 */
export const laneOf = (intent: Intent): string => standingOf(intent).lane

export type PickState = {
  /** Milliseconds until this intent may be tried; 0 or less is now. */
  readonly dueIn: (intent: Intent) => number
  /** Its files are all there (or it has none). */
  readonly filesReady: (intent: Intent) => boolean
}

export type Picked = {
  readonly start: readonly Intent[]
  /** Milliseconds until something waiting becomes due; absent when nothing waits for time. */
  readonly wakeIn?: number
}

/**
 * Which intents to start now: the head of each lane, at most one per lane, and of each class no more than its places.
 * A parked intent, a scheduled one and one whose dependency is unfinished step aside, and so does what waits to be done to
 * a message that a scheduled delete will take away; one that waits (for time or files) holds its lane,
 * so that nothing overtakes it.
 *
 * @param intents all of the outbox, oldest first
 */
export function pick(intents: readonly Intent[], state: PickState): Picked {
  const heads = headsOf(intents)
  const inflight = intents.filter(({ state }) => state === 'inflight')
  const busy = new Set(inflight.map(laneOf))
  const taken: Record<LaneClass, number> = { talk: 0, upload: 0, marks: 0, aside: 0 }
  for (const intent of inflight) taken[standingOf(intent).among] += 1
  // Those on their way are one request: what comes meanwhile waits for its answer, and leaves as one again.
  if (taken.marks > 0) taken.marks = MAX_IN_FLIGHT.marks
  const start: Intent[] = []
  let wakeIn = Infinity
  for (const head of heads) {
    if (head.state === 'inflight' || head.state === 'staged' || !state.filesReady(head)) continue
    const dueIn = state.dueIn(head)
    const { lane, among } = standingOf(head)
    if (dueIn > 0) wakeIn = Math.min(wakeIn, dueIn)
    else if (!busy.has(lane) && taken[among] < MAX_IN_FLIGHT[among]) {
      taken[among] += 1
      start.push(head)
    }
  }
  return { start, ...(wakeIn === Infinity ? {} : { wakeIn }) }
}

/** The first of each lane that does not step aside, oldest first. */
function headsOf(intents: readonly Intent[]): Intent[] {
  const ids = new Set(intents.map((intent) => intent.id))
  const doomed = doomedBy(intents)
  const taken = new Set<string>()
  const heads: Intent[] = []
  for (const intent of intents) {
    if (intent.state === 'parked' || intent.state === 'scheduled') continue
    if (intent.dependsOn !== undefined && ids.has(intent.dependsOn)) continue
    if (intent.state !== 'inflight' && intent.messageId !== undefined && doomed.has(intent.messageId)) continue
    const lane = laneOf(intent)
    if (taken.has(lane)) continue
    taken.add(lane)
    heads.push(intent)
  }
  return heads
}

/** Messages whose deletion can still be undone: nothing of them leaves meanwhile. */
function doomedBy(intents: readonly Intent[]): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { kind, state, messageId } of intents) {
    if (kind === 'delete-message' && state === 'scheduled' && messageId !== undefined) ids.add(messageId)
  }
  return ids
}
