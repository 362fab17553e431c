import type { Intent } from '#shared/domain/intent.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { backoffMs } from '#shared/rules/server/retry.ts'
import type { Tx } from '#main/cache/tx.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { Logger } from '#main/lib/logger.ts'
import { ApiError, taskStep } from '../api/errors.ts'
import { SICK_DISK_MS } from '../sick-disk.ts'
import { createHold } from './hold.ts'
import { pick, type Picked } from './lanes.ts'
import { REMOVES, type Outbox } from './outbox.ts'
import { createSchedule } from './schedule.ts'
import { createBatchWriter } from './batch-writer.ts'

/** What the server made of an intent: how to write it down, and what to do once that is on disk. */
export type Done = {
  /** Writes the facts of the answer to the cache. Runs in one transaction, before the intent is dropped. */
  readonly apply?: (tx: Tx) => void
  /** Runs in the transaction that drops the intent. */
  readonly finish?: (tx: Tx) => void
  readonly after?: () => void
}

/** An intent that is done, and what is to be written down of it. */
type Answered = { readonly intent: Intent; readonly outcome: Done }

/** The request cannot be made at all: the intent is parked with this reason. */
export class Refusal extends Error {
  readonly code: string
  readonly retryable: boolean
  constructor(code: string, retryable: boolean) {
    super(code)
    this.name = 'Refusal'
    this.code = code
    this.retryable = retryable
  }
}

type RunnerOptions = {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  /** Makes the request of an intent. Rejects with an {@link ApiError} or a {@link Refusal}. */
  readonly perform: (intent: Intent, signal: AbortSignal) => Promise<Done>
  /** The message exists already: is it ours, word for word? Answers the facts, or `undefined` when it is not. */
  readonly verify: (intent: Intent, signal: AbortSignal) => Promise<Done | undefined>
  readonly applyFacts: (work: (tx: Tx) => void) => void
  readonly filesReady: (intent: Intent) => boolean
  /** Milliseconds until the channel takes the next message, by its slow mode. Absent: none is known. */
  readonly cooldownMs?: (intent: Intent) => number | undefined
  /** Where in the timeline a message stands whose chosen time has come. */
  readonly placeNow?: (intent: Intent) => number | undefined
  /** A scheduled intent was released; `dropped` is what it took along. */
  readonly onReleased?: (dropped: readonly Intent[]) => void
  readonly onParked: (intent: Intent) => void
  /** The queue rests, most likely until a person has done something; `code` names what. Told again with every refusal. */
  readonly onHeld: (code: string) => void
  /** The server takes requests again. */
  readonly onFreed?: () => void
}

export type Runner = {
  /** The connection is healthy and what was missed has been fetched: send what waits. */
  open(): void
  /** The connection is gone. Requests under way may still end well. */
  shut(): void
  /** Something changed in the outbox. */
  kick(): void
  /** The time of a scheduled intent is now. Throws `disk/full` and the like, then nothing has changed. */
  release(id: string): void
  /** A person wants this one now: its planned time is forgotten, and a request under way is begun again. */
  retryNow(id: string): void
  /** A person wants everything now, files under way included: they may hang. */
  hurryAll(): void
  /** Breaks off the request of an intent that no one wants any more; resolves when it has ended. */
  cancel(id: string): Promise<void>
  stop(): Promise<void>
}

/** At most one try a second in a channel. */
const MIN_RETRY_MS = 1_000
const SLOW_RETRY_MS = 10_000
/** Pause for a limit that names no end. */
const UNKNOWN_LIMIT_MS = 5_000
/** Time online, not by the calendar, after which a person has to look at it. */
const GIVE_UP_AFTER_ONLINE_MS = 72 * 3_600_000

/**
 * Sends what waits, lane by lane:
 *
 *     ready ──start──► inflight ──answer──► facts in the cache, row gone
 *       ▲                 │ ├── may help later ──► waiting(nextAt) ──► ready
 *       │                 │ └── will not help ───► parked(reason)
 *       └── app start ────┘          └── a person's retry ──► ready
 */
export function createRunner(options: RunnerOptions): Runner {
  const { outbox, clock, log } = options
  /** Monotonic time before which an intent is not tried, with whether a new connection lifts it. */
  const due = new Map<string, { at: number; lifts: boolean }>()
  const running = new Map<string, { abort: AbortController; done: Promise<void> }>()
  let isOpen = false
  let isStopped = false
  let stopTimer: Stop | undefined
  const hold = createHold(
    clock,
    () => options.ids.random(),
    () => pump(),
  )
  /** The request that asks whether the hold is over. */
  let asking: string | undefined

  /** How long each intent that failed was tried while online; kept with its reason, so that restarts do not start again. */
  const online = createStopwatch(clock)
  const countedUntil = new Map<string, number>()

  for (const intent of outbox.all()) {
    if (intent.state !== 'waiting') continue
    const left = Math.min(Math.max(0, intent.nextAt - clock.now()), SLOW_RETRY_MS)
    due.set(intent.id, { at: clock.monotonic() + left, lifts: true })
  }

  function release(intent: Intent): void {
    const { dropped } = outbox.release(intent.id, options.placeNow?.(intent))
    options.onReleased?.(dropped)
  }
  const answered = createBatchWriter<Answered>(clock, writeDown)
  const schedule = createSchedule({ outbox, clock, log, release, onDue: () => pump() })

  function pump(): void {
    stopTimer?.()
    stopTimer = undefined
    if (isStopped) return
    schedule.look()
    if (!isOpen) return
    const picked = pickFrom(outbox.all())
    const leaving = allowed(picked.start)
    if (leaving.length > 0) {
      try {
        start(leaving, [])
      } catch (error) {
        for (const intent of leaving) onDiskFailure(intent, error)
      }
    }
    if (picked.wakeIn !== undefined) stopTimer = clock.after(picked.wakeIn, pump)
  }

  /** During a hold one request alone asks, and only when no other is asking already. */
  function allowed(intents: readonly Intent[]): readonly Intent[] {
    const room = hold.room()
    if (room === 'all') return intents
    const [first] = intents
    if (room === 'none' || first === undefined || (asking !== undefined && running.has(asking))) return []
    asking = first.id
    return [first]
  }

  function pickFrom(intents: readonly Intent[]): Picked {
    const now = clock.monotonic()
    return pick(intents, {
      dueIn: (intent) => (due.get(intent.id)?.at ?? now) - now,
      filesReady: options.filesReady,
    })
  }

  /** Notes that these are on their way, and that others have arrived, in one write; only then they leave. */
  function start(intents: readonly Intent[], arrived: readonly Answered[]): void {
    const begun = intents.map((intent) => ({ ...intent, state: 'inflight' as const, attempts: intent.attempts + 1 }))
    const done = arrived.map(({ intent }) => intent.id)
    outbox.advance(done, begun, (tx) => arrived.forEach(({ outcome }) => outcome.finish?.(tx)))
    for (const intent of begun) {
      if (!countedUntil.has(intent.id)) countedUntil.set(intent.id, online.readMs())
      const abort = new AbortController()
      const ended = run(intent, abort.signal)
        .catch((error: unknown) => onDiskFailure(intent, error))
        .finally(() => {
          running.delete(intent.id)
          pump()
        })
      running.set(intent.id, { abort, done: ended })
    }
  }

  /** The disk refused to note what happened: the intent is tried again from its last noted state, once there is room. */
  function onDiskFailure(intent: Intent, error: unknown): void {
    log.error('unnoted', { kind: intent.kind, error: error instanceof Error ? error.message : 'unknown' })
    if (isStopped) return
    due.set(intent.id, { at: clock.monotonic() + SICK_DISK_MS, lifts: false })
    clock.after(SICK_DISK_MS, () => {
      if (isStopped || running.has(intent.id) || outbox.byId(intent.id)?.state !== 'inflight') return pump()
      try {
        outbox.update(intent.id, { state: 'ready' })
        pump()
      } catch (again) {
        onDiskFailure(intent, again)
      }
    })
  }

  async function run(intent: Intent, signal: AbortSignal): Promise<void> {
    try {
      const outcome = await options.perform(intent, signal)
      letIn()
      await acknowledge(intent, outcome)
    } catch (error) {
      if (isStopped) return
      await settle(intent, error, signal)
    }
  }

  /** Waits a moment for the other answers under way, so that all are written down at once. */
  async function acknowledge(intent: Intent, outcome: Done): Promise<void> {
    const written = answered.add({ intent, outcome })
    if (isStopped || answered.count() >= running.size) answered.flush()
    await written
    due.delete(intent.id)
    countedUntil.delete(intent.id)
    log.info('ack', { kind: intent.kind, attempts: intent.attempts })
    outcome.after?.()
  }

  /**
   * The facts first, then the intents: a crash in between replays the same ids, which changes nothing.. What
   * comes next in these lanes is noted as on its way with the same write.
   */
  function writeDown(arrived: readonly Answered[]): void {
    const facts = arrived.flatMap(({ outcome }) => outcome.apply ?? [])
    if (facts.length > 0) options.applyFacts((tx) => facts.forEach((apply) => apply(tx)))
    const done = new Set(arrived.map(({ intent }) => intent.id))
    const mayStart = isOpen && !isStopped
    start(mayStart ? allowed(pickFrom(outbox.all().filter(({ id }) => !done.has(id))).start) : [], arrived)
  }

  async function settle(intent: Intent, error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof Refusal) return park(intent, error.code, error.retryable)
    if (!(error instanceof ApiError)) {
      log.error('failed', { kind: intent.kind, error: error instanceof Error ? error.message : 'unknown' })
      const needsPerson = error instanceof AppError && error.code === 'session/token-static'
      return needsPerson ? holdAll(intent, error.code) : wait(intent, backoff(intent), 'app/internal')
    }
    const step = taskStep(error.verdict, { attempt: intent.attempts, removes: REMOVES.has(intent.kind) })
    log.info('refused', { kind: intent.kind, code: error.code, step, attempts: intent.attempts })
    // Anyone who is told that this one cannot be done was let in.
    if (error.failure.kind === 'answer' && (step === 'done' || step === 'verify' || step === 'park')) letIn()
    switch (step) {
      case 'done':
        return await acknowledge(intent, {})
      case 'verify':
        return verify(intent, error, signal)
      case 'park':
        return park(intent, error.code, error.retryable)
      case 'hold':
        return holdAll(intent, error.code)
      case 'wait':
        return wait(intent, pauseFor(intent, error), error.code, false)
      case 'retry-slowly':
        return wait(intent, Math.max(SLOW_RETRY_MS, backoff(intent)), error.code)
      case 'retry':
        return wait(intent, backoff(intent), error.code)
    }
  }

  async function verify(intent: Intent, error: ApiError, signal: AbortSignal): Promise<void> {
    try {
      const done = await options.verify(intent, signal)
      if (done) await acknowledge(intent, done)
      else park(intent, error.code, false)
    } catch (cause) {
      if (isStopped) return
      log.info('unverified', { kind: intent.kind, error: cause instanceof ApiError ? cause.code : 'unknown' })
      wait(intent, backoff(intent), error.code)
    }
  }

  const pauseFor = (intent: Intent, error: ApiError): number =>
    error.retryAfterMs ?? (error.class === 'cooldown' ? options.cooldownMs?.(intent) : undefined) ?? UNKNOWN_LIMIT_MS

  const backoff = (intent: Intent): number => Math.max(MIN_RETRY_MS, backoffMs(intent.attempts, options.ids.random()))

  /** `lifts`: a new connection ends the waiting early. */
  function wait(intent: Intent, ms: number, code: string, lifts = true): void {
    const until = online.readMs()
    const onlineMs = Number(intent.reason?.params?.['onlineMs'] ?? 0) + until - (countedUntil.get(intent.id) ?? until)
    countedUntil.set(intent.id, until)
    if (onlineMs >= GIVE_UP_AFTER_ONLINE_MS) return park(intent, 'outbox/gave-up', true)
    due.set(intent.id, { at: clock.monotonic() + ms, lifts })
    const reason = { code, params: { onlineMs: Math.round(onlineMs) } }
    outbox.update(intent.id, { state: 'waiting', nextAt: clock.now() + ms, reason })
  }

  /** The server wants a person first: the whole queue rests until it takes a request again, or a new connection. */
  function holdAll(intent: Intent, code: string): void {
    hold.refused()
    due.set(intent.id, { at: clock.monotonic() + backoff(intent), lifts: true })
    outbox.update(intent.id, { state: 'ready' })
    options.onHeld(code)
  }

  function letIn(): void {
    if (hold.taken()) options.onFreed?.()
  }

  function park(intent: Intent, code: string, retryable: boolean): void {
    outbox.update(intent.id, { state: 'parked', reason: { code }, retryable })
    due.delete(intent.id)
    countedUntil.delete(intent.id)
    options.onParked({ ...intent, state: 'parked', reason: { code }, retryable })
  }

  function liftAll(): void {
    for (const [id, entry] of due) if (entry.lifts) due.delete(id)
  }

  const uploadsUnderWay = (): readonly string[] =>
    [...running.keys()].filter((id) => outbox.byId(id)?.kind === 'upload')

  async function beginAnew(id: string): Promise<void> {
    const task = running.get(id)
    if (task === undefined) return
    task.abort.abort()
    await task.done
    due.delete(id)
    pump()
  }

  return {
    open() {
      isOpen = true
      letIn()
      online.start()
      liftAll()
      pump()
    },
    shut() {
      isOpen = false
      online.stop()
      // Nothing else limits how long a file may take: one whose line is gone would hold up its message.
      for (const id of uploadsUnderWay()) running.get(id)?.abort.abort()
    },
    kick: pump,
    release(id) {
      const intent = outbox.byId(id)
      if (intent?.state === 'scheduled') release(intent)
      pump()
    },
    retryNow(id) {
      hold.askNow()
      due.delete(id)
      void beginAnew(id)
      pump()
    },
    hurryAll() {
      hold.askNow()
      liftAll()
      // Anything else is answered, or over, within seconds.
      for (const id of uploadsUnderWay()) void beginAnew(id)
      pump()
    },
    async cancel(id) {
      const task = running.get(id)
      task?.abort.abort()
      answered.flush()
      await task?.done
    },
    async stop() {
      isStopped = true
      stopTimer?.()
      schedule.stop()
      hold.stop()
      for (const { abort } of running.values()) abort.abort()
      answered.flush()
      await Promise.all([...running.values()].map((each) => each.done))
    },
  }
}

type Stopwatch = { start(): void; stop(): void; readMs(): number }

function createStopwatch(clock: Pick<Clock, 'monotonic'>): Stopwatch {
  let before = 0
  let since: number | undefined
  const readMs = (): number => before + (since === undefined ? 0 : clock.monotonic() - since)
  return {
    readMs,
    start: () => void (since ??= clock.monotonic()),
    stop() {
      before = readMs()
      since = undefined
    },
  }
}
