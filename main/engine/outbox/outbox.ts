import type { Intent, IntentFor, IntentKind } from '#shared/domain/intent.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { type Cid, type MessageId, asMessageId } from '#shared/lib/brand.ts'
import { OUTBOX_MAX_ITEMS } from '#shared/constants.ts'
import type { Notice } from '#shared/domain/notification.ts'
import type { Store } from '#main/cache/files/open.ts'
import type { Tx } from '#main/cache/store.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { Clock } from '#main/lib/clock.ts'
import * as table from '#main/cache/outbox/intents.ts'
import type { IntentRow, IntentInsert } from '#main/cache/rows.ts'
import { mergeIntent, revived, type Merge, type NewIntent, type NewIntentFor } from './merge.ts'
import type { Done } from './runner.ts'

/** What the outbox has to know of one kind of intent. `Parts` are those of the engine that its functions may use. */
export type KindOfIntent<Kind extends IntentKind, Parts> = {
  /** Intent → request → facts to store. Every request can be repeated without harm. */
  readonly perform: (core: Parts, intent: IntentFor<Kind>, signal: AbortSignal) => Promise<Done>
  /** The server says that it exists already: the facts if it is this one, otherwise `undefined`. Absent: it never is. */
  readonly verify?: (core: Parts, intent: IntentFor<Kind>, signal: AbortSignal) => Promise<Done | undefined>
  /** Whether everything that it needs first is there. Absent: nothing is needed. */
  readonly isReady?: (core: Parts, intent: IntentFor<Kind>) => boolean
  /** Position in the timeline when it is released now. Absent: it has none. */
  readonly placeNow?: (core: Parts, intent: IntentFor<Kind>) => number | undefined
  /** It was replaced before it was sent. */
  readonly dropped?: (core: Parts, intent: IntentFor<Kind>) => void
  /** It was rejected. Returns its notice if it has another than the general one. */
  readonly parked?: (core: Parts, intent: IntentFor<Kind>) => Omit<Notice, 'id' | 'createdAt'> | undefined
}

/** All kinds, each with its owner's functions. */
export type KindsOfIntents<Parts> = { readonly [Kind in IntentKind]: KindOfIntent<Kind, Parts> }

/** The functions of an intent's kind, which take any intent: only those of the same kind are passed to them. */
export const kindOf = <Parts>(kinds: KindsOfIntents<Parts>, { kind }: Intent): KindOfIntent<IntentKind, Parts> =>
  kinds[kind] as KindOfIntent<IntentKind, Parts>

/** The message that an intent is about; one that is sent may have no id but its own. */
export const messageIdOf = (intent: Intent): MessageId => intent.messageId ?? asMessageId(intent.id)

/** Why an intent was rejected: a code that selects a text. */
export const reasonOf = (intent: Intent): string => intent.reason?.code ?? 'outbox/refused'

type OutboxOptions = {
  readonly store: Store
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now'>
}

/** Result of accepting an intent: its own row, merged into another, or both dropped. */
type Accepted = { readonly added?: Intent; readonly dropped: readonly Intent[] }

/**
 * The queue of intents. Every change is committed to `outbox.db` before the call returns; the copy in memory is for
 * reading and is updated after each commit.
 */
export class Outbox {
  readonly #store: Store
  readonly #ids: Ids
  readonly #clock: Pick<Clock, 'now'>
  readonly #held = createIntentIndex()

  constructor({ store, ids, clock }: OutboxOptions) {
    this.#store = store
    this.#ids = ids
    this.#clock = clock
    for (const row of table.all(store.reader)) this.#held.put(intentOf(row))
  }

  /** Oldest first. */
  all(): readonly Intent[] {
    return this.#held.all()
  }

  byId(id: string): Intent | undefined {
    return this.#held.get(id)
  }

  /** Intents about this message, oldest first. */
  about(messageId: MessageId): readonly Intent[] {
    return this.#held.about(messageId)
  }

  in(cid: Cid): readonly Intent[] {
    return this.#held.in(cid)
  }

  /** Queued messages of this channel, threads included. */
  sends(cid: Cid): readonly IntentFor<'send-message'>[] {
    return this.in(cid).filter((intent): intent is IntentFor<'send-message'> => intent.kind === 'send-message')
  }

  /**
   * Accepts an intent: committed to disk when this returns. `within` runs in the same transaction.
   * Throws `outbox/full` and `disk/full`; then nothing has changed.
   */
  add(newIntent: NewIntent, within?: (tx: Tx) => void): Accepted {
    // Every intent that a new one can be merged with is in its channel.
    const merge = mergeIntent(this.in(newIntent.cid), newIntent)
    if (merge.add) this.#makeRoom(1 - merge.drop.length)
    return this.#take(merge, newIntent, within)
  }

  /** Accepts messages that belong together, in their order: all in one commit, or none. Throws as {@link add}. */
  addBatch(newIntents: readonly NewIntentFor<'send-message'>[], within?: (tx: Tx) => void): void {
    this.#makeRoom(newIntents.length)
    this.#commit([], [], within, newIntents)
  }

  /**
   * Accepts read marks of different places, merged with the queued ones: all in one commit, or none. Throws as {@link
   * add}.
   */
  addMarks(newIntents: readonly NewIntentFor<'mark-read'>[]): void {
    const merged = newIntents.map((newIntent) => ({
      newIntent,
      ...mergeIntent(this.in(newIntent.cid), newIntent),
    }))
    const more = merged.flatMap(({ newIntent, add }) => (add ? [newIntent] : []))
    const drop = merged.flatMap((each) => each.drop)
    this.#makeRoom(more.length - drop.length)
    const change = merged.flatMap((each) => each.change)
    this.#commit(change, drop, undefined, more)
  }

  /**
   * Accepts intents of another device of the same account with their ids and states, in their order, behind what is here;
   * `dropped` are those here that they replace. All in one commit, or none. Throws as {@link add}.
   */
  adopt(intents: readonly Intent[], dropped: readonly string[], within: (tx: Tx) => void): void {
    this.#makeRoom(intents.length - dropped.length)
    this.#commit(
      [],
      dropped,
      (tx) => {
        within(tx)
        for (const each of intents) touchAround(tx, each)
      },
      [],
      intents,
    )
  }

  /** Changes an intent's state, attempts, due time or reason. Unknown ids are ignored. */
  update(id: string, change: Partial<Pick<Intent, 'state' | 'attempts' | 'nextAt' | 'reason' | 'retryable'>>): void {
    const intent = this.#held.get(id)
    if (intent) this.#commit([{ ...intent, ...change }], [])
  }

  /**
   * Drops finished intents and updates the next ones to the given values in one transaction, so that both cost one write
   * to the disk. `within` runs in it. Unknown ids are ignored.
   */
  advance(done: readonly string[], next: readonly Intent[], within?: (tx: Tx) => void): void {
    const isHeld = (id: string): boolean => this.#held.get(id) !== undefined
    this.#commit(
      next.filter(({ id }) => isHeld(id)),
      done.filter(isHeld),
      within,
    )
  }

  /** Changes the time of a scheduled intent, in epoch milliseconds. Other intents are not changed. */
  reschedule(id: string, at: number): void {
    const intent = this.#held.get(id)
    if (intent?.state !== 'scheduled') return
    const { payload } = intent
    const moved = 'sendAt' in payload ? { payload: { ...payload, sendAt: at } } : {}
    this.#commit([{ ...intent, ...moved, nextAt: at } as Intent], [])
  }

  /**
   * Releases a scheduled intent: it is accepted again, behind everything queued, and from then on is like any other. One
   * transaction, so that after a crash it is either scheduled or released. `placedAt`: its new position in the timeline.
   */
  release(id: string, placedAt?: number): Accepted {
    const intent = this.#held.get(id)
    if (intent?.state !== 'scheduled') return { dropped: [] }
    const newIntent = dueIntent(intent, placedAt)
    const others = this.in(intent.cid).filter((each) => each.id !== id)
    const { change, drop, add } = mergeIntent(others, newIntent)
    const { added, dropped } = this.#take({ change, drop: [id, ...drop], add }, newIntent)
    return { added, dropped: dropped.filter((each) => each.id !== id) }
  }

  /** The user pressed "try again". */
  revive(id: string): void {
    const intent = this.#held.get(id)
    if (intent && intent.state !== 'inflight') this.#commit([revived(intent)], [])
  }

  /** Drops intents that are finished or canceled. `within` runs in the same transaction. */
  remove(removed: readonly string[], within?: (tx: Tx) => void): void {
    this.advance(removed, [], within)
  }

  /**
   * At start: intents that were in flight may or may not have reached the server, and are sent again with the same
   * id.
   */
  recoverInflight(): void {
    const inflight = this.all().filter((intent) => intent.state === 'inflight')
    if (inflight.length > 0)
      this.#commit(
        inflight.map((intent) => ({ ...intent, state: 'ready' })),
        [],
      )
  }

  count(): number {
    return this.#held.size()
  }

  #commit(
    change: readonly Intent[],
    drop: readonly string[],
    within?: (tx: Tx) => void,
    newIntents: readonly NewIntent[] = [],
    adopted: readonly Intent[] = [],
  ): readonly Intent[] {
    const added = this.#store.transaction((tx) => {
      for (const intent of change) table.update(tx, rowOf(intent))
      for (const id of drop) table.remove(tx, id)
      within?.(tx)
      for (const each of [...change, ...drop.map((id) => this.#held.get(id)), ...newIntents])
        if (each) touchAround(tx, each)
      const rows = newIntents.map((each) => newRowOf(each, each.id ?? this.#ids.uuid(), this.#clock.now()))
      return [...rows, ...adopted.map(rowOf)].map((row) => intentOf(table.add(tx, row)))
    })
    for (const intent of change) this.#held.put(intent)
    for (const id of drop) this.#held.remove(id)
    for (const intent of added) this.#held.put(intent)
    return added
  }

  #take(merge: Merge, newIntent: NewIntent, within?: (tx: Tx) => void): Accepted {
    const dropped = merge.drop.map((id) => this.#held.get(id)).filter((intent) => intent !== undefined)
    const [added] = this.#commit(merge.change, merge.drop, within, merge.add ? [newIntent] : [])
    return { added, dropped }
  }

  #makeRoom(more: number): void {
    if (this.#held.size() + more > OUTBOX_MAX_ITEMS)
      throw new AppError('outbox/full', { params: { max: OUTBOX_MAX_ITEMS } })
  }
}

/**
 * The outbox in memory. Every step of every intent changes one entry, and thousands may be queued: only the lists that
 * contain it are rebuilt.
 */
type IntentIndex = {
  get(id: string): Intent | undefined
  size(): number
  /** Adds an intent, or replaces the one with the same id in its position. */
  put(intent: Intent): void
  remove(id: string): void
  /** Oldest first. */
  readonly all: () => readonly Intent[]
  readonly about: (messageId: MessageId) => readonly Intent[]
  readonly in: (cid: Cid) => readonly Intent[]
}

type Lists = Map<string, readonly Intent[]>

function createIntentIndex(): IntentIndex {
  const byId = new Map<string, Intent>()
  const byMessage: Lists = new Map()
  const byChannel: Lists = new Map()
  let all: readonly Intent[] | undefined

  function place(
    lists: Lists,
    key: string | undefined,
    previous: Intent | undefined,
    current: Intent | undefined,
  ): void {
    if (key === undefined) return
    const list = lists.get(key) ?? []
    const after = current === undefined ? list.filter((each) => each !== previous) : joined(list, previous, current)
    if (after.length === 0) lists.delete(key)
    else lists.set(key, after)
  }

  function change(id: string, current: Intent | undefined): void {
    const previous = byId.get(id)
    const subject = current ?? previous
    if (!subject) return
    if (current) byId.set(id, current)
    else byId.delete(id)
    all = undefined
    place(byMessage, subject.messageId, previous, current)
    place(byChannel, subject.cid, previous, current)
  }

  return {
    get: (id) => byId.get(id),
    size: () => byId.size,
    put: (intent) => change(intent.id, intent),
    remove: (id) => change(id, undefined),
    all: () => (all ??= [...byId.values()].toSorted(bySeq)),
    about: (messageId) => byMessage.get(messageId) ?? [],
    in: (cid) => byChannel.get(cid) ?? [],
  }
}

const bySeq = (a: Intent, b: Intent): number => a.seq - b.seq

/** New intents have the highest sequence number: only one that is added again with its old number needs sorting. */
function joined(list: readonly Intent[], previous: Intent | undefined, current: Intent): readonly Intent[] {
  if (previous) return list.map((each) => (each === previous ? current : each))
  const last = list.at(-1)
  const all = [...list, current]
  return last && last.seq > current.seq ? all.toSorted(bySeq) : all
}

/** Converts a stored row to an intent. The payload was written by {@link newRowOf}. */
function intentOf(row: IntentRow): Intent {
  const { threadRoot, entityId, dependsOn, reason, payload, ...rest } = row
  return {
    ...rest,
    parentId: threadRoot,
    ...(isAboutMessage(row) ? { messageId: entityId } : {}),
    dependsOn,
    reason: reason === undefined ? undefined : { code: reason.code, params: reason.params },
    retryable: reason?.retryable ?? true,
    payload,
  } as Intent
}

function rowOf(intent: Intent): IntentRow {
  const { id, seq, cid, kind, payload, createdAt, attempts, nextAt, state, reason, retryable } = intent
  return {
    id,
    seq,
    cid,
    kind,
    payload,
    createdAt,
    attempts,
    nextAt,
    state,
    entityId: entityOf(intent),
    threadRoot: intent.parentId,
    dependsOn: intent.dependsOn,
    reason: reason && { ...reason, retryable },
  }
}

function newRowOf(newIntent: NewIntent, id: string, now: number): IntentInsert {
  return {
    id,
    cid: newIntent.cid,
    threadRoot: newIntent.parentId,
    kind: newIntent.kind,
    entityId: entityOf(newIntent),
    dependsOn: newIntent.dependsOn,
    payload: newIntent.payload,
    createdAt: now,
    ...(newIntent.notBefore === undefined ? {} : { state: 'scheduled', nextAt: newIntent.notBefore }),
  }
}

const NOT_ABOUT_MESSAGES = [
  'upload',
  'mark-read',
  'create-draft',
  'delete-draft',
  'block-person',
  'unblock-person',
  'moderate',
]
const isAboutMessage = ({ kind }: { readonly kind: string }): boolean => !NOT_ABOUT_MESSAGES.includes(kind)

function entityOf(intent: NewIntent | Intent): string {
  if (intent.kind === 'upload') return intent.payload.uploadId
  if (intent.kind === 'block-person' || intent.kind === 'unblock-person') return intent.payload.userId
  if (intent.kind === 'moderate') return intent.payload.itemId
  return isAboutMessage(intent) ? (intent.messageId ?? intent.cid) : intent.cid
}

/** A scheduled intent whose time has come, without its time. */
function dueIntent(intent: Intent, placedAt: number | undefined): NewIntent {
  const { id, kind, cid, parentId, messageId, dependsOn } = intent
  const newIntent = { id, kind, cid, parentId, messageId, dependsOn, payload: intent.payload } as NewIntent
  if (newIntent.kind !== 'send-message') return newIntent
  const { sendAt: _sendAt, ...payload } = newIntent.payload
  return { ...newIntent, payload: placedAt === undefined ? payload : { ...payload, placedAt } }
}

/** Entities that depend on it, besides those that the table itself touches. */
function touchAround(tx: Tx, intent: Intent | NewIntent): void {
  if (intent.kind === 'block-person' || intent.kind === 'unblock-person') {
    tx.touch('users', intent.payload.userId)
    if (intent.payload.directCid !== undefined) tx.touch('channels', intent.payload.directCid)
  }
  if (intent.kind === 'moderate') tx.touch('manage', 'self')
  if (intent.parentId !== undefined) tx.touch('messages', intent.parentId)
  if (intent.kind === 'pin-message') tx.touchWindow(`pinned:${intent.cid}`)
  if (intent.kind === 'set-reminder' || intent.kind === 'delete-reminder') {
    if (intent.messageId !== undefined) tx.touch('reminders', intent.messageId)
    tx.touchWindow('later')
  }
  if (intent.kind === 'send-message' && intent.payload.pollId !== undefined) tx.touch('polls', intent.payload.pollId)
  if (intent.kind === 'cast-vote' || intent.kind === 'remove-vote') tx.touch('polls', intent.payload.pollId)
}

/** Kinds that are already fulfilled when their target no longer exists. */
export const REMOVES: ReadonlySet<IntentKind> = new Set<IntentKind>([
  'delete-message',
  'delete-reaction',
  'delete-draft',
  'delete-reminder',
  'remove-vote',
  'unblock-person',
  'mark-read',
])
