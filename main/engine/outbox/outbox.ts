import type { Intent, IntentFor } from '#shared/domain/intent.ts'
import type { IntentKind } from '#shared/domain/outbox.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { OUTBOX_MAX_ITEMS } from '#shared/constants.ts'
import type { Store } from '#main/cache/files/open.ts'
import type { Tx } from '#main/cache/tx.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { Clock } from '#main/lib/clock.ts'
import * as table from '#main/cache/outbox/intents.ts'
import { mergeIntent, revived, type Merge, type NewIntent, type NewIntentFor } from './merge.ts'
import { createIntentIndex } from './intent-index.ts'
import { intentOf, newRowOf, rowOf } from './store.ts'

type OutboxOptions = {
  readonly store: Store
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now'>
}

/** What happened to a new intent: its own row, folded into another, or both undone. */
type Accepted = { readonly added?: Intent; readonly dropped: readonly Intent[] }

/**
 * What waits to be sent. Everything stands in `outbox.db` before it is answered; the copy in memory is for reading and
 * follows each commit.
 */
export type Outbox = {
  /** Oldest first. */
  all(): readonly Intent[]
  byId(id: string): Intent | undefined
  /** Those naming this message, oldest first. */
  about(messageId: MessageId): readonly Intent[]
  in(cid: Cid): readonly Intent[]
  /** Sends of this channel, or of this thread, still waiting. */
  sends(cid: Cid): readonly IntentFor<'send-message'>[]
  /**
   * Accepts a wish: committed to disk when this returns. `within` runs in the same transaction.
   * Throws `outbox/full` and `disk/full`; then nothing has changed.
   */
  add(newIntent: NewIntent, within?: (tx: Tx) => void): Accepted
  /** Accepts messages that belong together, in their order: all of them in one commit, or none. Throws as {@link add}. */
  addBatch(newIntents: readonly NewIntentFor<'send-message'>[], within?: (tx: Tx) => void): void
  /** Accepts read marks, each of another place, folded into what waits there: all in one commit, or none. Throws as {@link add}. */
  addMarks(newIntents: readonly NewIntentFor<'mark-read'>[]): void
  /** Moves an intent on: its state, attempts, due time, reason. Unknown ids are ignored. */
  update(id: string, change: Partial<Pick<Intent, 'state' | 'attempts' | 'nextAt' | 'reason' | 'retryable'>>): void
  /**
   * Drops intents that are done and moves on those that come next, as they are given, in one transaction: what is done
   * and what follows it costs one write to the disk. `within` runs in it. Unknown ids are ignored.
   */
  advance(done: readonly string[], next: readonly Intent[], within?: (tx: Tx) => void): void
  /** Another time for a scheduled intent. Epoch milliseconds; others are left alone. */
  reschedule(id: string, at: number): void
  /**
   * The time of a scheduled intent has come: it is accepted again, behind all that waits, and from then on one like any
   * other. One transaction, so a crash leaves it scheduled or released. `placedAt`: its new place in the timeline.
   */
  release(id: string, placedAt?: number): Accepted
  /** A person says "try again". */
  revive(id: string): void
  /** Drops intents that are done or taken back. `within` runs in the same transaction. */
  remove(ids: readonly string[], within?: (tx: Tx) => void): void
  /** At start: whatever was in flight may or may not have arrived, and is tried again with the same id. */
  recoverInflight(): void
  count(): number
}

export function createOutbox({ store, ids, clock }: OutboxOptions): Outbox {
  const held = createIntentIndex()
  for (const row of table.all(store.reader)) held.put(intentOf(row))

  function commit(
    change: readonly Intent[],
    drop: readonly string[],
    within?: (tx: Tx) => void,
    newIntents: readonly NewIntent[] = [],
  ): readonly Intent[] {
    const added = store.transaction((tx) => {
      for (const intent of change) table.update(tx, rowOf(intent))
      for (const id of drop) table.remove(tx, id)
      within?.(tx)
      for (const each of [...change, ...drop.map((id) => held.get(id)), ...newIntents]) if (each) touchAround(tx, each)
      return newIntents.map((newIntent) =>
        intentOf(table.add(tx, newRowOf(newIntent, newIntent.id ?? ids.uuid(), clock.now()))),
      )
    })
    for (const intent of change) held.put(intent)
    for (const id of drop) held.remove(id)
    for (const intent of added) held.put(intent)
    return added
  }

  function take(merge: Merge, newIntent: NewIntent, within?: (tx: Tx) => void): Accepted {
    const dropped = merge.drop.map((id) => held.get(id)).filter((intent) => intent !== undefined)
    const [added] = commit(merge.change, merge.drop, within, merge.add ? [newIntent] : [])
    return { ...(added ? { added } : {}), dropped }
  }

  const advance: Outbox['advance'] = (done, next, within) => {
    const isHeld = (id: string): boolean => held.get(id) !== undefined
    commit(
      next.filter(({ id }) => isHeld(id)),
      done.filter(isHeld),
      within,
    )
  }

  const { all } = held

  function makeRoom(more: number): void {
    if (held.size() + more > OUTBOX_MAX_ITEMS) throw new AppError('outbox/full', { params: { max: OUTBOX_MAX_ITEMS } })
  }

  return {
    all,
    byId: (id) => held.get(id),
    about: held.about,
    in: held.in,
    sends: (cid) =>
      held.in(cid).filter((intent): intent is IntentFor<'send-message'> => intent.kind === 'send-message'),
    add(newIntent, within) {
      // Everything that a wish could be folded into is in its channel.
      const merge = mergeIntent(held.in(newIntent.cid), newIntent)
      if (merge.add) makeRoom(1 - merge.drop.length)
      return take(merge, newIntent, within)
    },
    addBatch(newIntents, within) {
      makeRoom(newIntents.length)
      commit([], [], within, newIntents)
    },
    addMarks(newIntents) {
      const merged = newIntents.map((newIntent) => ({
        newIntent,
        ...mergeIntent(held.in(newIntent.cid), newIntent),
      }))
      const more = merged.flatMap(({ newIntent, add }) => (add ? [newIntent] : []))
      const drop = merged.flatMap((each) => each.drop)
      makeRoom(more.length - drop.length)
      const change = merged.flatMap((each) => each.change)
      commit(change, drop, undefined, more)
    },
    advance,
    reschedule(id, at) {
      const intent = held.get(id)
      if (intent?.state !== 'scheduled') return
      const { payload } = intent
      const moved = 'sendAt' in payload ? { payload: { ...payload, sendAt: at } } : {}
      commit([{ ...intent, ...moved, nextAt: at } as Intent], [])
    },
    release(id, placedAt) {
      const intent = held.get(id)
      if (intent?.state !== 'scheduled') return { dropped: [] }
      const newIntent = dueIntent(intent, placedAt)
      const others = held.in(intent.cid).filter((each) => each.id !== id)
      const { change, drop, add } = mergeIntent(others, newIntent)
      const { added, dropped } = take({ change, drop: [id, ...drop], add }, newIntent)
      return { ...(added ? { added } : {}), dropped: dropped.filter((each) => each.id !== id) }
    },
    update(id, change) {
      const intent = held.get(id)
      if (intent) commit([{ ...intent, ...change }], [])
    },
    revive(id) {
      const intent = held.get(id)
      if (intent && intent.state !== 'inflight') commit([revived(intent)], [])
    },
    remove(removed, within) {
      advance(removed, [], within)
    },
    recoverInflight() {
      const inflight = all().filter((intent) => intent.state === 'inflight')
      if (inflight.length > 0)
        commit(
          inflight.map((intent) => ({ ...intent, state: 'ready' })),
          [],
        )
    },
    count: () => held.size(),
  }
}

/** The wish of an intent whose time has come, with no time of its own any more. */
function dueIntent(intent: Intent, placedAt: number | undefined): NewIntent {
  const { id, kind, cid, parentId, messageId, dependsOn } = intent
  const newIntent = { id, kind, cid, parentId, messageId, dependsOn, payload: intent.payload } as NewIntent
  if (newIntent.kind !== 'send-message') return newIntent
  const { sendAt: _chosen, ...payload } = newIntent.payload
  return { ...newIntent, payload: placedAt === undefined ? payload : { ...payload, placedAt } }
}

/** What else on screen depends on it, beside what the table itself touches. */
function touchAround(tx: Tx, intent: Intent | NewIntent): void {
  if (intent.kind === 'block-person' || intent.kind === 'unblock-person') {
    tx.touch('users', intent.payload.userId)
    if (intent.payload.directCid !== undefined) tx.touch('channels', intent.payload.directCid)
  }
  if (intent.parentId !== undefined) tx.touch('messages', intent.parentId)
  if (intent.kind === 'pin-message') tx.touchWindow(`pinned:${intent.cid}`)
  if (intent.kind === 'set-reminder' || intent.kind === 'delete-reminder') {
    if (intent.messageId !== undefined) tx.touch('reminders', intent.messageId)
    tx.touchWindow('later')
  }
  if (intent.kind === 'send-message' && intent.payload.pollId !== undefined) tx.touch('polls', intent.payload.pollId)
  if (intent.kind === 'cast-vote' || intent.kind === 'remove-vote') tx.touch('polls', intent.payload.pollId)
}

/** Kinds whose wish is fulfilled when the target no longer exists. */
export const REMOVES: ReadonlySet<IntentKind> = new Set<IntentKind>([
  'delete-message',
  'delete-reaction',
  'delete-draft',
  'delete-reminder',
  'remove-vote',
  'unblock-person',
  'mark-read',
])
