import type { EditPayload, Intent, IntentFor, IntentPayloads, SendPayload, IntentKind } from '#shared/domain/intent.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { isBlocking } from '#shared/rules/people/people.ts'
import { previewLinks } from '#shared/rules/messages/link-previews.ts'

/** An intent before the outbox gave it a sequence number. */
export type NewIntent = {
  [Kind in IntentKind]: {
    readonly kind: Kind
    /** Set by the caller when something else refers to it (a message's id); otherwise the outbox creates one. */
    readonly id?: string
    readonly cid: Cid
    readonly parentId?: MessageId
    readonly messageId?: MessageId
    readonly dependsOn?: string
    /** Scheduled until then, and merged with the queue only at that time. Epoch milliseconds of this device. */
    readonly notBefore?: number
    readonly payload: IntentPayloads[Kind]
  }
}[IntentKind]
export type NewIntentFor<Kind extends IntentKind> = Extract<NewIntent, { readonly kind: Kind }>

/** What accepting an intent does to the outbox: rows changed, rows dropped, and whether it needs its own row. */
export type Merge = {
  readonly change: readonly Intent[]
  readonly drop: readonly string[]
  readonly add: boolean
}

const ADD: Merge = { change: [], drop: [], add: true }

/** Never sent, so the server cannot know of it: it may be changed or dropped without a trace. */
const isUntried = (intent: Intent): boolean => intent.state !== 'inflight' && intent.attempts === 0
/** Its response was lost or was a temporary failure: it is unknown what the server has. Dropped, it could not be undone. */
const isUnsure = (intent: Intent): boolean => !isUntried(intent) && intent.state !== 'parked'
const isIdle = (intent: Intent): boolean => intent.state !== 'inflight'

/** Back to its initial state, as after the user's "try again". A scheduled intent stays scheduled. */
export const revived = <I extends Intent>(intent: I): I => {
  if (intent.state === 'scheduled') return intent
  const { reason: _reason, ...rest } = intent
  return { ...rest, state: 'ready', nextAt: 0, retryable: true } as I
}

/**
 * Merges a new intent with the queue: an edit changes its unsent message, a delete cancels it, reactions and pins that
 * undo each other are dropped, the latest read mark and draft win. Only while none of them is in flight: an intent that
 * was sent may already be on the server, so it is followed by another one, never rewritten.
 */
export function mergeIntent(waiting: readonly Intent[], newIntent: NewIntent): Merge {
  if (newIntent.notBefore !== undefined) return ADD
  switch (newIntent.kind) {
    case 'edit-message':
      return mergeEdit(waiting, newIntent)
    case 'delete-message':
      return mergeDelete(waiting, newIntent)
    case 'send-reaction':
    case 'delete-reaction':
      return mergeReaction(waiting, newIntent)
    case 'pin-message':
      return mergePin(waiting, newIntent)
    case 'mark-read':
      return mergeRead(waiting, newIntent)
    case 'create-draft':
    case 'delete-draft':
      return mergeDraft(waiting, newIntent)
    case 'cast-vote':
    case 'remove-vote':
      return mergeVote(waiting, newIntent)
    case 'set-reminder':
    case 'delete-reminder':
      return mergeReminder(waiting, newIntent)
    case 'block-person':
    case 'unblock-person':
      return mergeBlock(waiting, newIntent)
    case 'moderate':
      return mergeDecision(waiting, newIntent)
    case 'send-message':
    case 'upload':
      return ADD
  }
}

function mergeEdit(waiting: readonly Intent[], newIntent: NewIntentFor<'edit-message'>): Merge {
  const send = find(waiting, 'send-message', newIntent.messageId)
  // The server rejected the message and did not store it: it gets the new text and another attempt. Older edits that
  // were queued after it have nothing to change anymore.
  if (send && (isUntried(send) || send.state === 'parked')) {
    const isOlder = (each: Intent): boolean =>
      each.kind === 'edit-message' && each.messageId === newIntent.messageId && isIdle(each)
    return {
      change: [revived({ ...send, payload: withNewText(send.payload, newIntent.payload) })],
      drop: waiting.filter(isOlder).map(({ id }) => id),
      add: false,
    }
  }
  const edit = waiting.findLast((each) => each.kind === 'edit-message' && each.messageId === newIntent.messageId)
  if (edit?.kind !== 'edit-message' || !isIdle(edit)) return ADD
  return { change: [revived({ ...edit, payload: newIntent.payload })], drop: [], add: false }
}

/** The unsent message with its new text; previews of links that were removed are removed too. */
function withNewText(send: SendPayload, { text, mentionedUserIds, reach, skipEnrich }: EditPayload): SendPayload {
  const { previews = [], reach: _before, ...rest } = send
  const links = previewLinks(text)
  const remaining = previews.filter((each) => links.includes(each.shown.url))
  return {
    ...rest,
    text,
    mentionedUserIds,
    reach,
    previews: remaining.length === 0 ? undefined : remaining,
    ...(skipEnrich ? { skipEnrich } : {}),
  }
}

function mergeDelete(waiting: readonly Intent[], newIntent: NewIntentFor<'delete-message'>): Merge {
  const about = waiting.filter((each) => each.messageId === newIntent.messageId && isIdle(each))
  const send = find(waiting, 'send-message', newIntent.messageId)
  const drop = about.map((each) => each.id)
  const change = restOf(waiting, newIntent.messageId).map(parkedPart)
  if (send && (isUntried(send) || send.state === 'parked')) return { change, drop, add: false }
  return { change, drop, add: true }
}

/** Why the remaining parts of a long text wait: one of the parts before them was removed. */
export const PART_REMOVED = 'outbox/part-removed'

/**
 * The following parts of a text that is too long for one message, as far as the server cannot know of them, in order.
 */
function restOf(waiting: readonly Intent[], messageId: MessageId | undefined): readonly IntentFor<'send-message'>[] {
  const rest: IntentFor<'send-message'>[] = []
  let last: string | undefined = messageId
  for (const send of waiting) {
    if (send.kind !== 'send-message' || send.payload.part === undefined) continue
    if (last === undefined || send.dependsOn !== last || !isUntried(send)) continue
    rest.push(send)
    last = send.id
  }
  return rest
}

/** The end of a text should not be sent without its beginning: the user decides what to do with it. */
function parkedPart({ payload: { sendAt: _sendAt, ...payload }, ...send }: IntentFor<'send-message'>): Intent {
  return { ...send, payload, state: 'parked', reason: { code: PART_REMOVED }, retryable: true }
}

function mergeReaction(
  waiting: readonly Intent[],
  newIntent: NewIntentFor<'send-reaction' | 'delete-reaction'>,
): Merge {
  const all = waiting.filter(
    (each): each is IntentFor<'send-reaction'> | IntentFor<'delete-reaction'> =>
      (each.kind === 'send-reaction' || each.kind === 'delete-reaction') &&
      each.messageId === newIntent.messageId &&
      each.payload.type === newIntent.payload.type,
  )
  const same = all.at(-1)
  if (same === undefined || !isIdle(same)) return ADD
  if (same.kind === 'send-reaction' && newIntent.kind === 'send-reaction') {
    // The highest score wins: to send a reaction once more only sets it.
    const score = Math.max(same.payload.score, newIntent.payload.score)
    return { change: [revived({ ...same, payload: { ...same.payload, score } })], drop: [], add: false }
  }
  if (same.kind === newIntent.kind) return { change: [revived(same)], drop: [], add: false }
  // What may have reached the server stays, and its opposite follows it: dropped when that is undone in turn, it leaves
  // the first one to be sent again.
  if (isUnsure(same)) return ADD
  const isKnown = same.kind === 'send-reaction' && (same.payload.again === true || all.at(-2)?.kind === 'send-reaction')
  const isRaised = newIntent.kind === 'send-reaction' && newIntent.payload.score > 1
  return { change: [], drop: [same.id], add: isKnown || isRaised || same.state === 'parked' }
}

function mergePin(waiting: readonly Intent[], newIntent: NewIntentFor<'pin-message'>): Merge {
  const pin = find(waiting, 'pin-message', newIntent.messageId)
  if (pin === undefined || !isIdle(pin)) return ADD
  const { pinned, until } = newIntent.payload
  if (pin.payload.pinned === pinned) {
    const payload = until === undefined ? pin.payload : { ...pin.payload, until }
    return { change: [revived({ ...pin, payload })], drop: [], add: false }
  }
  if (isUnsure(pin)) return ADD
  // One with an end may be about a message that was pinned before.
  const hasEnd = until !== undefined || pin.payload.until !== undefined
  return { change: [], drop: [pin.id], add: pin.state === 'parked' || hasEnd }
}

/**
 * A rejected vote for the same option is replaced. An untried vote and its opposite undo each other if no other vote was
 * made in this poll between them and the cast vote replaced no other one (with unique votes it may have).
 */
function mergeVote(waiting: readonly Intent[], newIntent: NewIntentFor<'cast-vote' | 'remove-vote'>): Merge {
  const { pollId, optionId } = newIntent.payload
  const votes = waiting.filter(
    (each): each is IntentFor<'cast-vote' | 'remove-vote'> =>
      (each.kind === 'cast-vote' || each.kind === 'remove-vote') && each.payload.pollId === pollId,
  )
  const refused = votes.filter((each) => each.state === 'parked' && each.payload.optionId === optionId)
  const last = votes.findLast((each) => each.state !== 'parked')
  const cast = last?.kind === 'cast-vote' ? last : newIntent.kind === 'cast-vote' ? newIntent : undefined
  const undoes =
    last !== undefined &&
    last.kind !== newIntent.kind &&
    last.payload.optionId === optionId &&
    isUntried(last) &&
    cast?.payload.alone === true
  const drop = [...refused, ...(undoes ? [last] : [])].map((each) => each.id)
  return { change: [], drop, add: !undoes }
}

function mergeRead(waiting: readonly Intent[], newIntent: NewIntentFor<'mark-read'>): Merge {
  const read = waiting.findLast(
    (each) =>
      each.kind === 'mark-read' && each.cid === newIntent.cid && each.parentId === newIntent.parentId && isIdle(each),
  )
  if (read?.kind !== 'mark-read') return ADD
  if (read.payload.readAt >= newIntent.payload.readAt) return { change: [], drop: [], add: false }
  return { change: [revived({ ...read, payload: newIntent.payload })], drop: [], add: false }
}

/** The latest intent about a message's reminder wins. */
function mergeReminder(waiting: readonly Intent[], newIntent: NewIntentFor<'set-reminder' | 'delete-reminder'>): Merge {
  const older = waiting.filter(
    (each) =>
      (each.kind === 'set-reminder' || each.kind === 'delete-reminder') &&
      each.messageId === newIntent.messageId &&
      isIdle(each),
  )
  return { change: [], drop: older.map((each) => each.id), add: true }
}

/** The latest intent about a user wins; an untried one and its opposite undo each other. */
function mergeBlock(waiting: readonly Intent[], newIntent: NewIntentFor<'block-person' | 'unblock-person'>): Merge {
  const older = waiting.filter(
    (each) => isBlocking(each) && each.payload.userId === newIntent.payload.userId && isIdle(each),
  )
  const last = older.at(-1)
  const undoes = last !== undefined && last.kind !== newIntent.kind && last.state !== 'parked' && isUntried(last)
  const dropped = older.filter((each) => (each.kind === newIntent.kind ? !undoes : !isUnsure(each)))
  return { change: [], drop: dropped.map((each) => each.id), add: !undoes }
}

/** The latest decision about an item wins over those that never reached the server or were refused. */
function mergeDecision(waiting: readonly Intent[], newIntent: NewIntentFor<'moderate'>): Merge {
  const older = waiting.filter(
    (each) =>
      each.kind === 'moderate' &&
      each.payload.itemId === newIntent.payload.itemId &&
      (isUntried(each) || each.state === 'parked'),
  )
  return { change: [], drop: older.map(({ id }) => id), add: true }
}

function mergeDraft(waiting: readonly Intent[], newIntent: NewIntentFor<'create-draft' | 'delete-draft'>): Merge {
  const older = waiting.filter(
    (each) =>
      (each.kind === 'create-draft' || each.kind === 'delete-draft') &&
      each.cid === newIntent.cid &&
      each.parentId === newIntent.parentId &&
      isIdle(each),
  )
  return { change: [], drop: older.map((each) => each.id), add: true }
}

function find<Kind extends IntentKind>(
  waiting: readonly Intent[],
  kind: Kind,
  messageId: MessageId | undefined,
): IntentFor<Kind> | undefined {
  return waiting.findLast((each): each is IntentFor<Kind> => each.kind === kind && each.messageId === messageId)
}
