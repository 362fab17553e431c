import type { Intent } from '#shared/domain/intent.ts'

/** How many requests of each class are in flight at once. Classes do not share slots. */
export const MAX_IN_FLIGHT = {
  /** Messages, reactions, edits and votes, in channels and threads. */
  talk: 8,
  /** Uploads. */
  upload: 2,
  /** Channels that one request marks as read; the next request is sent after its response. See docs/wire.md 3.2. */
  marks: 30,
  /** Background work: reminders, blocking, moderation, drafts, read marks of threads. */
  aside: 2,
} as const
type LaneClass = keyof typeof MAX_IN_FLIGHT

/** Whether one request can carry this mark together with others: it names a channel and a message, but no thread. */
export const travelsWithOthers = (intent: Intent): boolean =>
  intent.kind === 'mark-read' && intent.parentId === undefined && intent.payload.upTo !== undefined

type Placement = { readonly lane: string; readonly slots: LaneClass }

/** The lane in which an intent keeps its order, and the class whose slots it uses. */
function placementOf(intent: Intent): Placement {
  switch (intent.kind) {
    case 'upload':
      return { lane: `upload:${intent.payload.uploadId}`, slots: 'upload' }
    case 'mark-read':
      return {
        lane: `read:${intent.cid}/${intent.parentId ?? ''}`,
        slots: travelsWithOthers(intent) ? 'marks' : 'aside',
      }
    case 'set-reminder':
    case 'delete-reminder':
      return { lane: `reminder:${intent.messageId ?? intent.id}`, slots: 'aside' }
    case 'block-person':
    case 'unblock-person':
      return { lane: `person:${intent.payload.userId}`, slots: 'aside' }
    case 'moderate':
      return { lane: `review:${intent.payload.itemId}`, slots: 'aside' }
    case 'create-draft':
    case 'delete-draft':
      return { lane: `draft:${intent.cid}/${intent.parentId ?? ''}`, slots: 'aside' }
    case 'send-message':
    case 'edit-message':
    case 'delete-message':
    case 'send-reaction':
    case 'delete-reaction':
    case 'pin-message':
    case 'cast-vote':
    case 'remove-vote':
      // Most of a long queue: no text is made for them, each time that it is looked through.
      return { lane: intent.parentId === undefined ? intent.cid : `${intent.cid}/${intent.parentId}`, slots: 'talk' }
  }
}

/**
 * The lane in which an intent keeps its order. Messages and everything done to them share the lane of their channel or
 * thread; reads, reminders, blocking and uploads have separate lanes, so they neither wait for messages nor delay them.
 */
export const laneOf = (intent: Intent): string => placementOf(intent).lane

export type PickState = {
  /** Milliseconds until this intent may be tried; 0 or less means now. */
  readonly dueIn: (intent: Intent) => number
  /** Whether all its files are uploaded (or it has none). */
  readonly filesReady: (intent: Intent) => boolean
}

export type Picked = {
  readonly start: readonly Intent[]
  /** Milliseconds until a waiting intent becomes due; absent when nothing waits for a time. */
  readonly wakeIn?: number
}

/**
 * Which intents to start now: the head of each lane, at most one per lane, and of each class no more than its slots.
 * Parked and scheduled intents are skipped, as are intents whose dependency is unfinished and intents about a message
 * that a scheduled delete will remove. An intent that waits (for a time or for files) blocks its lane, so that nothing
 * overtakes it.
 *
 * @param intents the whole outbox, oldest first
 */
export function pick(intents: readonly Intent[], state: PickState): Picked {
  const heads = headsOf(intents)
  const inflight = intents.filter(({ state }) => state === 'inflight')
  const busy = new Set(inflight.map(laneOf))
  const taken: Record<LaneClass, number> = { talk: 0, upload: 0, marks: 0, aside: 0 }
  for (const intent of inflight) taken[placementOf(intent).slots] += 1
  // The marks in flight are one request: marks that follow wait for its response and are then sent as one request again.
  if (taken.marks > 0) taken.marks = MAX_IN_FLIGHT.marks
  const start: Intent[] = []
  let wakeIn = Infinity
  for (const head of heads) {
    if (head.state === 'inflight' || head.state === 'staged' || !state.filesReady(head)) continue
    const dueIn = state.dueIn(head)
    const { lane, slots } = placementOf(head)
    if (dueIn > 0) wakeIn = Math.min(wakeIn, dueIn)
    else if (!busy.has(lane) && taken[slots] < MAX_IN_FLIGHT[slots]) {
      taken[slots] += 1
      start.push(head)
    }
  }
  return { start, wakeIn: wakeIn === Infinity ? undefined : wakeIn }
}

/** The first intent of each lane that is not skipped, oldest first. */
function headsOf(intents: readonly Intent[]): Intent[] {
  let ids: ReadonlySet<string> | undefined
  const isHeld = (id: string): boolean => (ids ??= new Set(intents.map((intent) => intent.id))).has(id)
  const doomed = doomedBy(intents)
  const taken = new Set<string>()
  const heads: Intent[] = []
  for (const intent of intents) {
    if (intent.state === 'parked' || intent.state === 'scheduled') continue
    const lane = laneOf(intent)
    if (taken.has(lane)) continue
    if (intent.dependsOn !== undefined && isHeld(intent.dependsOn)) continue
    if (intent.state !== 'inflight' && intent.messageId !== undefined && doomed.has(intent.messageId)) continue
    taken.add(lane)
    heads.push(intent)
  }
  return heads
}

/** Messages with a deletion that can still be undone: nothing about them is sent meanwhile. */
function doomedBy(intents: readonly Intent[]): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { kind, state, messageId } of intents) {
    if (kind === 'delete-message' && state === 'scheduled' && messageId !== undefined) ids.add(messageId)
  }
  return ids
}
