import type { Intent } from '#shared/domain/intent.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { backoffMs } from '#shared/rules/server/retry.ts'
import type { Tx } from '#main/cache/tx.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { Logger } from '#main/lib/logger.ts'
import { ApiError, taskStep } from '../api/errors.ts'
import { DISK_RETRY_MS } from '../disk-retry.ts'
import { createHold } from './hold.ts'
import { pick, type Picked } from './lanes.ts'
import { REMOVES, type Outbox } from './outbox.ts'
import { createSchedule } from './schedule.ts'
import { createBatchWriter } from './batch-writer.ts'

/** The server's answer to an intent: the facts to store, and what to do once they are on disk. */
export type Done = {
  /** Writes the facts of the answer to the cache. Runs in one transaction, before the intent is dropped. */
  readonly apply?: (tx: Tx) => void
  /** Runs in the transaction that drops the intent. */
  readonly finish?: (tx: Tx) => void
  readonly after?: () => void
}

/** An answered intent and what is to be stored of the answer. */
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
  /** The message exists already: returns the facts if it is ours and has the same text, `undefined` if not. */
  readonly verify: (intent: Intent, signal: AbortSignal) => Promise<Done | undefined>
  readonly applyFacts: (work: (tx: Tx) => void) => void
  readonly filesReady: (intent: Intent) => boolean
  /** Milliseconds until the channel's slow mode allows the next message. Absent if unknown. */
  readonly cooldownMs?: (intent: Intent) => number | undefined
  /** Position in the timeline of a message that is released now. */
  readonly placeNow?: (intent: Intent) => number | undefined
  /** A scheduled intent was released; `dropped` are the intents that it replaced. */
  readonly onReleased?: (dropped: readonly Intent[]) => void
  readonly onParked: (intent: Intent) => void
  /**
   * The queue is on hold, usually until the user does something; `code` says what. Called again with every rejection.
   */
  readonly onHeld: (code: string) => void
  /** The server accepts requests again. */
  readonly onFreed?: () => void
}

export type Runner = {
  /** The connection is healthy and missed events have been fetched: sends the queue. */
  open(): void
  /** The connection was lost. Requests in flight may still succeed. */
  shut(): void
  /** The outbox has changed. */
  kick(): void
  /** Releases a scheduled intent now. Throws `disk/full` and the like; then nothing has changed. */
  release(id: string): void
  /** The user wants this intent sent now: its planned time is dropped, and a request in flight is restarted. */
  retryNow(id: string): void
  /** The user wants everything sent now. Uploads in flight are restarted too, because they may hang. */
  retryAll(): void
  /** Aborts the request of an intent that was cancelled; resolves when the request has ended. */
  cancel(id: string): Promise<void>
  stop(): Promise<void>
}

/** At most one attempt per second in a channel. */
const MIN_RETRY_MS = 1_000
const SLOW_RETRY_MS = 10_000
/** Pause after a rate limit that does not say when it ends. */
const UNKNOWN_LIMIT_MS = 5_000
/** Time online, not elapsed time, after which the user has to decide. */
const GIVE_UP_AFTER_ONLINE_MS = 72 * 3_600_000

/**
 * Sends the queue, lane by lane:
 *
 *     ready ──start──► inflight ──answer──► facts in the cache, row gone
 *       ▲                 │ ├── may help later ──► waiting(nextAt) ──► ready
 *       │                 │ └── will not help ───► parked(reason)
 *       └── app start ────┘          └── the user's retry ──► ready
 */
export function createRunner(options: RunnerOptions): Runner {
  const { outbox, clock, log } = options
  /** Monotonic time before which an intent is not tried, and whether a new connection lifts it. */
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
  /** The request that probes whether the hold is over. */
  let probe: string | undefined

  /** How long each failed intent was tried while online. Stored with its reason, so that restarts do not reset it. */
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
  const answers = createBatchWriter<Answered>(clock, store)
  const schedule = createSchedule({ outbox, clock, log, release, onDue: () => pump() })

  function pump(): void {
    stopTimer?.()
    stopTimer = undefined
    if (isStopped) return
    schedule.releaseDue()
    if (!isOpen) return
    const picked = pickFrom(outbox.all())
    const starting = allowed(picked.start)
    if (starting.length > 0) {
      try {
        start(starting, [])
      } catch (error) {
        for (const intent of starting) onDiskFailure(intent, error)
      }
    }
    if (picked.wakeIn !== undefined) stopTimer = clock.after(picked.wakeIn, pump)
  }

  /** During a hold only one request is sent, and only when no other probe is in flight. */
  function allowed(intents: readonly Intent[]): readonly Intent[] {
    const allowance = hold.allowance()
    if (allowance === 'all') return intents
    const [first] = intents
    if (allowance === 'none' || first === undefined || (probe !== undefined && running.has(probe))) return []
    probe = first.id
    return [first]
  }

  function pickFrom(intents: readonly Intent[]): Picked {
    const now = clock.monotonic()
    return pick(intents, {
      dueIn: (intent) => (due.get(intent.id)?.at ?? now) - now,
      filesReady: options.filesReady,
    })
  }

  /** Stores in one write that these are in flight and that others were answered; sends them only after that. */
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

  /** The disk refused the write: the intent is tried again from its last stored state once the disk accepts writes. */
  function onDiskFailure(intent: Intent, error: unknown): void {
    log.error('unnoted', { kind: intent.kind, error: error instanceof Error ? error.message : 'unknown' })
    if (isStopped) return
    due.set(intent.id, { at: clock.monotonic() + DISK_RETRY_MS, lifts: false })
    clock.after(DISK_RETRY_MS, () => {
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
      endHold()
      await acknowledge(intent, outcome)
    } catch (error) {
      if (isStopped) return
      await settle(intent, error, signal)
    }
  }

  /** Waits briefly for the other requests in flight, so that all answers are stored at once. */
  async function acknowledge(intent: Intent, outcome: Done): Promise<void> {
    const written = answers.add({ intent, outcome })
    if (isStopped || answers.count() >= running.size) answers.flush()
    await written
    due.delete(intent.id)
    countedUntil.delete(intent.id)
    log.info('ack', { kind: intent.kind, attempts: intent.attempts })
    outcome.after?.()
  }

  /**
   * Stores facts first, then drops the intents: after a crash in between the same ids are sent again, which changes
   * nothing. The next intents of these lanes are marked as in flight in the same write.
   */
  function store(arrived: readonly Answered[]): void {
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
    // The server accepted the account and rejected only this request.
    if (error.failure.kind === 'answer' && (step === 'done' || step === 'verify' || step === 'park')) endHold()
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

  /** `lifts`: a new connection ends the wait early. */
  function wait(intent: Intent, ms: number, code: string, lifts = true): void {
    const until = online.readMs()
    const onlineMs = Number(intent.reason?.params?.['onlineMs'] ?? 0) + until - (countedUntil.get(intent.id) ?? until)
    countedUntil.set(intent.id, until)
    if (onlineMs >= GIVE_UP_AFTER_ONLINE_MS) return park(intent, 'outbox/gave-up', true)
    due.set(intent.id, { at: clock.monotonic() + ms, lifts })
    const reason = { code, params: { onlineMs: Math.round(onlineMs) } }
    outbox.update(intent.id, { state: 'waiting', nextAt: clock.now() + ms, reason })
  }

  /** The user has to do something first: the whole queue waits until a request is accepted, or for a new connection. */
  function holdAll(intent: Intent, code: string): void {
    hold.refused()
    due.set(intent.id, { at: clock.monotonic() + backoff(intent), lifts: true })
    outbox.update(intent.id, { state: 'ready' })
    options.onHeld(code)
  }

  function endHold(): void {
    if (hold.accepted()) options.onFreed?.()
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

  async function restart(id: string): Promise<void> {
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
      endHold()
      online.start()
      liftAll()
      pump()
    },
    shut() {
      isOpen = false
      online.stop()
      // Uploads have no other time limit: one whose connection was lost would block its message.
      for (const id of uploadsUnderWay()) running.get(id)?.abort.abort()
    },
    kick: pump,
    release(id) {
      const intent = outbox.byId(id)
      if (intent?.state === 'scheduled') release(intent)
      pump()
    },
    retryNow(id) {
      hold.probeNow()
      due.delete(id)
      void restart(id)
      pump()
    },
    retryAll() {
      hold.probeNow()
      liftAll()
      // Other requests are answered or time out within seconds.
      for (const id of uploadsUnderWay()) void restart(id)
      pump()
    },
    async cancel(id) {
      const task = running.get(id)
      task?.abort.abort()
      answers.flush()
      await task?.done
    },
    async stop() {
      isStopped = true
      stopTimer?.()
      schedule.stop()
      hold.stop()
      for (const { abort } of running.values()) abort.abort()
      answers.flush()
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
