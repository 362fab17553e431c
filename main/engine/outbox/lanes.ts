import type { Intent } from '#shared/domain/intent.ts'

/** Channels with a request under way at once. Source: reliability paper 3.2. */
export const MAX_CHANNELS_IN_FLIGHT = 4
/** Files uploaded at once, beside the channels. */
export const MAX_UPLOADS_IN_FLIGHT = 2

/**
 * The lane in which an intent keeps its order. Messages and what is done to them share the lane of their channel and
 * thread; reads, reminders, people and files wait for nobody and hold up nobody.
 */
export function laneOf(intent: Intent): string {
  switch (intent.kind) {
    case 'upload':
      return `upload:${intent.payload.uploadId}`
    case 'mark-read':
      return `read:${intent.cid}`
    case 'set-reminder':
    case 'delete-reminder':
      return `reminder:${intent.messageId ?? intent.id}`
    case 'block-person':
    case 'unblock-person':
      return `person:${intent.payload.userId}`
    case 'create-draft':
    case 'delete-draft':
      return `draft:${intent.cid}/${intent.parentId ?? ''}`
    case 'send-message':
    case 'edit-message':
    case 'delete-message':
    case 'send-reaction':
    case 'delete-reaction':
    case 'pin-message':
    case 'cast-vote':
    case 'remove-vote':
      return `${intent.cid}/${intent.parentId ?? ''}`
  }
}

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
 * Which intents to start now: the head of each lane, at most one per channel, four channels and two files at once.
 * A parked intent, a scheduled one and one whose dependency is unfinished step aside, and so does what waits to be done to
 * a message that a scheduled delete will take away; one that waits (for time or files) holds its lane,
 * so that nothing overtakes it. Source: reliability paper 3.2.
 *
 * @param intents all of the outbox, oldest first
 */
export function pick(intents: readonly Intent[], state: PickState): Picked {
  const heads = headsOf(intents)
  const busy = new Set<string>()
  let uploads = 0
  for (const intent of intents) {
    if (intent.state !== 'inflight') continue
    if (intent.kind === 'upload') uploads += 1
    else busy.add(intent.cid)
  }
  const start: Intent[] = []
  let wakeIn = Infinity
  for (const head of heads) {
    if (head.state === 'inflight' || head.state === 'staged' || !state.filesReady(head)) continue
    const dueIn = state.dueIn(head)
    if (dueIn > 0) wakeIn = Math.min(wakeIn, dueIn)
    else if (head.kind === 'upload') {
      if (uploads >= MAX_UPLOADS_IN_FLIGHT) continue
      uploads += 1
      start.push(head)
    } else if (!busy.has(head.cid) && busy.size < MAX_CHANNELS_IN_FLIGHT) {
      busy.add(head.cid)
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
