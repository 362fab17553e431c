import type { UnknownEvent, WireEvent } from '#shared/wire/events.ts'
import type { Touched, Tx, Reader } from '#main/cache/store.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import { LATE_AFTER_MS } from '#shared/rules/notifications/notifying.ts'
import type { MessageRow } from '#main/cache/rows.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as meta from '#main/cache/meta.ts'
import { isDiskTrouble } from '#main/lib/disk-error.ts'
import type { Core, LiveEvents } from '../core.ts'
import {
  decodeEvent,
  type EventEnvelope,
  decodeFields,
  handledType,
  type HandledEvent,
  type HandledType,
} from '../decode/events.ts'
import { countOf, latestAt } from '../decode/read.ts'

type Event = WireEvent | UnknownEvent

/**
 * Holds changes of messages that are not cached yet. A page in flight may contain the message as it was before, so events
 * received meanwhile are applied again once the message is stored. Without this it would show outdated text, or miss a
 * reaction, until it is fetched again. In memory only: after a lost connection everything is fetched anyway.
 */
export type EarlyEvents = {
  /** Holds an event that changed nothing because its message is not cached. */
  hold(messageId: string, event: Event): void
  /** A transaction was committed. */
  onCommit(touched: Touched): void
  stop(): void
}

/** Most events are about messages too old to be cached, so the oldest are dropped. */
const MESSAGES = 500
const EACH = 20

/** @param apply applies events, in order */
export function createEarlyEvents(clock: Pick<Clock, 'after'>, apply: (events: readonly Event[]) => void): EarlyEvents {
  const waiting = new Map<string, readonly Event[]>()
  let due: Event[] = []
  let planned: Stop | undefined

  function run(): void {
    planned = undefined
    const events = due
    due = []
    apply(events)
  }

  return {
    hold(messageId, event) {
      const events = [...(waiting.get(messageId) ?? []), event].slice(-EACH)
      waiting.delete(messageId)
      waiting.set(messageId, events)
      for (const oldest of waiting.keys()) {
        if (waiting.size <= MESSAGES) break
        waiting.delete(oldest)
      }
    },
    onCommit({ entities }) {
      if (waiting.size === 0) return
      for (const id of entities.get('messages') ?? []) {
        const events = waiting.get(id)
        if (!events) continue
        waiting.delete(id)
        due.push(...events)
      }
      if (due.length > 0) planned ??= clock.after(0, run)
    },
    stop() {
      planned?.()
      waiting.clear()
    },
  }
}

const CHANGES: ReadonlySet<string> = new Set([
  'message.updated',
  'message.undeleted',
  'message.deleted',
  'reaction.new',
  'reaction.updated',
  'reaction.deleted',
])

/** The message that an event changes; `undefined` for other events and for permanent deletions. */
function changedMessage(event: Event): string | undefined {
  if (!CHANGES.has(event.type) || event['hard_delete'] === true) return undefined
  const id = (event as { readonly message?: { readonly id?: unknown } }).message?.id
  return typeof id === 'string' ? id : undefined
}

type Batch = {
  readonly events: readonly (WireEvent | UnknownEvent)[]
  /** Received over the healthy connection; false for events of a synchronization. */
  readonly live: boolean
  /** Where the messages that arrived are collected; absent: they are announced at once. */
  readonly arrived?: Arrived[]
}

type AnyApplier = (tx: Tx, event: unknown, context: ApplyContext) => void

/** Runs one event's applier. `tx` is the batch's transaction. */
type Guard = (tx: Tx, apply: (tx: Tx) => void, type: string) => void

/**
 * The only way in for events: all events of one turn in one transaction, in order. An event that cannot be applied is
 * undone alone and logged; the others are stored. Returns the channels that must be fetched afterwards.
 *
 * Failures are rare, and a savepoint per event costs a third of the work. So the batch is first tried without savepoints;
 * only if that fails, it is undone as a whole and run again with them.
 */
export function ingest(core: LiveEvents, batch: Batch): readonly Cid[] {
  const { refetch, arrived, later } = tryWithoutSavepoints(core, batch) ?? applyAll(core, batch, withSavepoint(core))
  if (batch.arrived) batch.arrived.push(...arrived)
  else announce(core, arrived)
  for (const work of later) work()
  return [...refetch]
}

/** Messages by others that are stored: notifications are checked, and their delivery is confirmed. */
export function announce(core: Pick<Core, 'collector' | 'delivery'>, arrived: readonly Arrived[]): void {
  for (const { id, cid, parentId, showInChannel } of arrived) {
    core.collector.arrived(id)
    if (parentId === undefined || showInChannel) core.delivery.note(cid)
  }
}

function tryWithoutSavepoints(core: LiveEvents, batch: Batch): Effects | undefined {
  try {
    return applyAll(core, batch, (tx, apply) => apply(tx))
  } catch (error) {
    core.log('ingest').debug('again', { error: error instanceof Error ? error.message : 'unknown' })
    return undefined
  }
}

/**
 * Runs each event in a nested transaction: the writes of a failing applier are undone, earlier ones stay. When the disk
 * fails nothing stays: SQLite has then rolled back the whole batch, and later events would be stored without it.
 */
function withSavepoint(core: Pick<Core, 'cache' | 'log'>): Guard {
  return (_tx, apply, type) => {
    try {
      core.cache.transaction(apply)
    } catch (error) {
      if (isDiskTrouble(error)) throw error
      core.log('ingest').error('failed', { type, error: error instanceof Error ? error.message : 'unknown' })
    }
  }
}

function applyAll(core: LiveEvents, batch: Batch, guard: Guard): Effects {
  const effects: Effects = { refetch: new Set(), arrived: [], later: [] }
  core.write((tx) => {
    const latest = latestAt(core.serverNow(), core.asOf())
    const events = batch.events.map((event) => ({ event, envelope: decodeEvent(event, latest) }))
    const newest = newestOf(events)
    if (newest > 0 && batch.live && core.syncState.caughtUp) meta.hear(tx, newest)
    else if (newest > 0) meta.sawServerTime(tx, newest)
    const context = contextOf(core, batch.live, effects)
    for (const each of events) applyOne(core, tx, each, context, guard)
  })
  return effects
}

/** Transient events that are never synchronized: they leave nothing on disk, not even the time of the last event. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'typing.start',
  'typing.stop',
  'ai_indicator.update',
  'ai_indicator.clear',
  'user.presence.changed',
  'user.watching.start',
  'user.watching.stop',
])

type Decoded = { readonly event: WireEvent | UnknownEvent; readonly envelope: EventEnvelope | undefined }

const newestOf = (events: readonly Decoded[]): number =>
  events.reduce(
    (newest, { envelope }) =>
      envelope?.at !== undefined && !TRANSIENT.has(envelope.type) ? Math.max(newest, envelope.at) : newest,
    0,
  )

export type Arrived = Pick<MessageRow, 'id' | 'cid' | 'createdAt' | 'parentId' | 'showInChannel'>

type Effects = { readonly refetch: Set<Cid>; readonly arrived: Arrived[]; readonly later: (() => void)[] }

function applyOne(core: LiveEvents, tx: Tx, { event, envelope }: Decoded, shared: SharedContext, guard: Guard): void {
  if (!envelope) return core.log('ingest').warn('malformed')
  const { type, wire, cid = wire['cid'], at = core.asOf() } = envelope
  const handled = handledType(type)
  const apply = handled && (core.events.appliers[handled] as AnyApplier | undefined)
  if (!apply) {
    if (!Object.hasOwn(core.events.ignored, type)) core.log('ingest').debug('unknown', { type })
    return
  }
  const decoded = decodeFields(handled, cid === wire['cid'] ? wire : { ...wire, cid })
  if (!decoded.ok) return core.log('ingest').warn('odd-event', { type, field: decoded.field })
  const { live } = shared
  if (live) noteUnreadThreads(core, event)
  const context = { ...shared, at, recent: live || at > core.serverNow() - LATE_AFTER_MS }
  guard(tx, (inner) => apply(inner, decoded.event, context), type)
  const changed = live ? changedMessage(event) : undefined
  if (changed !== undefined && !messages.byId(tx, changed)) core.early.hold(changed, event)
}

/** What all events of a batch are applied with. */
type SharedContext = Omit<ApplyContext, 'at' | 'recent'>

function contextOf(core: LiveEvents, live: boolean, effects: Effects): SharedContext {
  return {
    me: core.me,
    memory: core.memory,
    collector: core.collector,
    typing: core.typing,
    assistants: core.assistants,
    drafts: core.drafts,
    threads: core.threads,
    notify: core.notify,
    later: (work) => void effects.later.push(work),
    watched: core.watched,
    live,
    arrived: (message) => void effects.arrived.push(message),
    erased: () => core.housekeeping.erased(),
    refetch: (cid) => void effects.refetch.add(asCid(cid)),
  }
}

/** Only events sent to the viewer alone count the viewer's threads. See docs/wire.md 4.7. */
function noteUnreadThreads(core: Pick<Core, 'collector' | 'memory'>, event: WireEvent | UnknownEvent): void {
  const count = event.type.startsWith('notification.') ? countOf(event.unread_threads) : undefined
  if (count === undefined || count === core.memory.inbox.unreadThreads) return
  core.memory.inbox = { ...core.memory.inbox, unreadThreads: count }
  core.collector.touch('inbox', 'self')
}

/** What an applier may use besides the transaction. */
export type ApplyContext = Pick<
  Core,
  'me' | 'memory' | 'collector' | 'typing' | 'assistants' | 'watched' | 'drafts' | 'threads' | 'notify'
> & {
  /** Server time of the event, epoch milliseconds. */
  readonly at: number
  /** Received over a healthy connection, not read back by a synchronization. */
  readonly live: boolean
  /** Live, or synchronized within minutes of its time: worth a notification. */
  readonly recent: boolean
  /** Reports a recent message by another user: notifications are checked after the commit. */
  readonly arrived: (message: Arrived) => void
  /** Text was deleted permanently: it must be erased from disk soon. */
  readonly erased: () => void
  /** Runs once this batch is committed. */
  readonly later: (work: () => void) => void
  /** Requests the channel with everything in it once this batch is committed. */
  readonly refetch: (cid: Cid) => void
}

/** Stores the facts of one event in the cache. Synchronous; a throw undoes this event alone. */
type Applier<Type extends HandledType> = (tx: Tx, event: HandledEvent<Type>, context: ApplyContext) => void

/** A feature's appliers by the wire's event type. */
export type Appliers = { readonly [Type in HandledType]?: Applier<Type> }

/** Where to synchronize from: slightly earlier, because events of one moment may have been in flight. Absent at first. */
export function readCursor(reader: Reader): number | undefined {
  const heard = meta.heardUntil(reader)
  return heard === undefined ? undefined : heard - meta.CURSOR_OVERLAP_MS
}

/** Up to when nothing was missed, whether there were events or not: stored when an unbroken connection ends. */
const IN_STEP = 'in-step-until'

export const inStepUntil = (tx: Tx, time: number): void => meta.set(tx, IN_STEP, String(time))

/** Up to when the cache is complete, for display: epoch milliseconds of the server. Absent at first. */
export function knownUntil(reader: Reader): number | undefined {
  const inStep = meta.get(reader, IN_STEP)
  const known = [meta.heardUntil(reader), inStep === undefined ? undefined : Number(inStep)]
  const times = known.filter((time) => time !== undefined)
  return times.length === 0 ? undefined : Math.max(...times)
}
