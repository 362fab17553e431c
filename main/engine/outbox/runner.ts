import type { Intent } from '#shared/domain/intent.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { backoffMs } from '#shared/rules/server/retry.ts'
import type { Tx } from '#main/cache/store.ts'
import { type Clock, endOfStep, type Stop } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { Logger } from '#main/lib/logger.ts'
import { ApiError, taskStep } from '../api/errors.ts'
import { DISK_RETRY_MS } from '#main/lib/disk-error.ts'
import { createHold, type Hold, Retries, SLOW_RETRY_MS, createSchedule, type Schedule } from './waiting.ts'
import { pick, type Picked } from './lanes.ts'
import { REMOVES, type Outbox } from './outbox.ts'

/** The server's response to an intent: the facts to store, and what to do once they are on disk. */
export type Done = {
  /** Writes the facts of the response to the cache. Runs in one transaction, before the intent is dropped. */
  readonly apply?: (tx: Tx) => void
  /** Runs in the transaction that drops the intent. */
  readonly finish?: (tx: Tx) => void
  readonly after?: () => void
}

/** An acknowledged intent and what is stored of the response. */
type Acknowledged = { readonly intent: Intent; readonly outcome: Done }

type Params = NonNullable<Intent['reason']>['params']

/** The request cannot be made at all: the intent is parked with this reason. */
export class Refusal extends Error {
  readonly code: string
  readonly retryable: boolean
  /** For the text of the reason. */
  readonly params?: Params
  constructor(code: string, retryable: boolean, params?: Params) {
    super(code)
    this.name = 'Refusal'
    this.code = code
    this.retryable = retryable
    this.params = params
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

/** At most one attempt per second in a channel. */
const MIN_RETRY_MS = 1_000
/** Pause after a rate limit that does not say when it ends. */
const UNKNOWN_LIMIT_MS = 5_000
/** Time online, not elapsed time, after which the user has to decide. */
const GIVE_UP_AFTER_ONLINE_MS = 72 * 3_600_000

/**
 * Sends the queue, lane by lane:
 *
 *     ready ──start──► inflight ──response──► facts in the cache, row gone
 *       ▲                 │ ├── may help later ──► waiting(nextAt) ──► ready
 *       │                 │ └── will not help ───► parked(reason)
 *       └── app start ────┘          └── the user's retry ──► ready
 */
export class Runner {
  readonly #options: RunnerOptions
  readonly #outbox: Outbox
  readonly #clock: Clock
  readonly #log: Logger
  readonly #retries: Retries
  readonly #running = new Map<string, { abort: AbortController; done: Promise<void> }>()
  readonly #hold: Hold
  readonly #responses: BatchWriter<Acknowledged>
  readonly #schedule: Schedule
  /** The request that probes whether the hold is over. */
  #probe: string | undefined
  #isOpen = false
  #isStopped = false
  #isKickPlanned = false
  #stopTimer: Stop | undefined

  constructor(options: RunnerOptions) {
    const { outbox, clock, log } = options
    this.#options = options
    this.#outbox = outbox
    this.#clock = clock
    this.#log = log
    this.#retries = new Retries(clock, outbox.all())
    this.#hold = createHold(
      clock,
      () => options.ids.random(),
      () => this.kick(),
    )
    this.#responses = createBatchWriter<Acknowledged>(clock, (arrived) => this.#store(arrived))
    this.#schedule = createSchedule({
      outbox,
      clock,
      log,
      release: (intent) => this.#release(intent),
      onDue: () => this.kick(),
    })
  }

  /** The connection is healthy and missed events have been fetched: sends the queue. */
  open(): void {
    this.#isOpen = true
    this.#endHold()
    this.#retries.connected()
    this.kick()
  }

  /** The connection was lost. Requests in flight may still succeed. */
  shut(): void {
    this.#isOpen = false
    this.#retries.disconnected()
    // Uploads have no other time limit: one whose connection was lost would block its message.
    for (const id of this.#uploadsUnderWay()) this.#running.get(id)?.abort.abort()
  }

  /** The outbox has changed: sends what may be sent now. */
  kick(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    if (this.#isStopped) return
    this.#schedule.releaseDue()
    if (!this.#isOpen) return
    const picked = this.#pickFrom(this.#outbox.all())
    const starting = this.#allowed(picked.start)
    if (starting.length > 0) {
      try {
        this.#start(starting, [])
      } catch (error) {
        for (const intent of starting) this.#onDiskFailure(intent, error)
      }
    }
    if (picked.wakeIn !== undefined) this.#stopTimer = this.#clock.after(picked.wakeIn, () => this.kick())
  }

  /** Requests whose responses were stored together end together: the queue is looked through once for all of them. */
  #kickSoon(): void {
    if (this.#isKickPlanned) return
    this.#isKickPlanned = true
    endOfStep(() => {
      this.#isKickPlanned = false
      this.kick()
    })
  }

  /** Releases a scheduled intent now. Throws `disk/full` and the like; then nothing has changed. */
  release(id: string): void {
    const intent = this.#outbox.byId(id)
    if (intent?.state === 'scheduled') this.#release(intent)
    this.kick()
  }

  /** The user wants this intent sent now: its planned time is dropped, and a request in flight is restarted. */
  retryNow(id: string): void {
    this.#hold.probeNow()
    this.#retries.lift(id)
    void this.#restart(id)
    this.kick()
  }

  /** The user wants everything sent now. Uploads in flight are restarted too, because they may hang. */
  retryAll(): void {
    this.#hold.probeNow()
    this.#retries.liftAll()
    // Other requests get a response or time out within seconds.
    for (const id of this.#uploadsUnderWay()) void this.#restart(id)
    this.kick()
  }

  /** Aborts the request of an intent that was canceled; resolves when the request has ended. */
  async cancel(id: string): Promise<void> {
    const task = this.#running.get(id)
    task?.abort.abort()
    this.#responses.flush()
    await task?.done
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopTimer?.()
    this.#schedule.stop()
    this.#hold.stop()
    for (const { abort } of this.#running.values()) abort.abort()
    this.#responses.flush()
    await Promise.all([...this.#running.values()].map((each) => each.done))
  }

  #release(intent: Intent): void {
    const { dropped } = this.#outbox.release(intent.id, this.#options.placeNow?.(intent))
    this.#options.onReleased?.(dropped)
  }

  /** During a hold only one request is sent, and only when no other probe is in flight. */
  #allowed(intents: readonly Intent[]): readonly Intent[] {
    const allowance = this.#hold.allowance()
    if (allowance === 'all') return intents
    const [first] = intents
    const isProbing = this.#probe !== undefined && this.#running.has(this.#probe)
    if (allowance === 'none' || first === undefined || isProbing) return []
    this.#probe = first.id
    return [first]
  }

  #pickFrom(intents: readonly Intent[]): Picked {
    return pick(intents, { dueIn: ({ id }) => this.#retries.dueIn(id), filesReady: this.#options.filesReady })
  }

  /** Stores in one write that these are in flight and that others were acknowledged; sends them only after that. */
  #start(intents: readonly Intent[], arrived: readonly Acknowledged[]): void {
    const begun = intents.map((intent) => ({ ...intent, state: 'inflight' as const, attempts: intent.attempts + 1 }))
    const done = arrived.map(({ intent }) => intent.id)
    this.#outbox.advance(done, begun, (tx) => arrived.forEach(({ outcome }) => outcome.finish?.(tx)))
    for (const intent of begun) {
      this.#retries.started(intent.id)
      const abort = new AbortController()
      const ended = this.#run(intent, abort.signal)
        .catch((error: unknown) => this.#onDiskFailure(intent, error))
        .finally(() => {
          this.#running.delete(intent.id)
          this.#kickSoon()
        })
      this.#running.set(intent.id, { abort, done: ended })
    }
  }

  /** The disk refused the write: the intent is tried again from its last stored state once the disk accepts writes. */
  #onDiskFailure(intent: Intent, error: unknown): void {
    this.#log.error('unnoted', { kind: intent.kind, error: error instanceof Error ? error.message : 'unknown' })
    if (this.#isStopped) return
    this.#retries.delay(intent.id, DISK_RETRY_MS, false)
    this.#clock.after(DISK_RETRY_MS, () => {
      const isTriedAgain = this.#running.has(intent.id) || this.#outbox.byId(intent.id)?.state !== 'inflight'
      if (this.#isStopped || isTriedAgain) return this.kick()
      try {
        this.#outbox.update(intent.id, { state: 'ready' })
        this.kick()
      } catch (again) {
        this.#onDiskFailure(intent, again)
      }
    })
  }

  async #run(intent: Intent, signal: AbortSignal): Promise<void> {
    try {
      const outcome = await this.#options.perform(intent, signal)
      this.#endHold()
      await this.#acknowledge(intent, outcome)
    } catch (error) {
      if (this.#isStopped) return
      await this.#settle(intent, error, signal)
    }
  }

  /** Waits briefly for the other requests in flight, so that all responses are stored at once. */
  async #acknowledge(intent: Intent, outcome: Done): Promise<void> {
    const written = this.#responses.add({ intent, outcome })
    if (this.#isStopped || this.#responses.count() >= this.#running.size) this.#responses.flush()
    await written
    this.#retries.ended(intent.id)
    this.#log.info('ack', { kind: intent.kind, attempts: intent.attempts })
    outcome.after?.()
  }

  /**
   * Stores facts first, then drops the intents: after a crash in between the same ids are sent again, which changes
   * nothing. The next intents of these lanes are marked as in flight in the same write.
   */
  #store(arrived: readonly Acknowledged[]): void {
    const facts = arrived.flatMap(({ outcome }) => outcome.apply ?? [])
    if (facts.length > 0) this.#options.applyFacts((tx) => facts.forEach((apply) => apply(tx)))
    const done = new Set(arrived.map(({ intent }) => intent.id))
    const mayStart = this.#isOpen && !this.#isStopped
    const left = (): readonly Intent[] => this.#outbox.all().filter(({ id }) => !done.has(id))
    this.#start(mayStart ? this.#allowed(this.#pickFrom(left()).start) : [], arrived)
  }

  async #settle(intent: Intent, error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof Refusal) return this.#park(intent, error.code, error.retryable, error.params)
    if (!(error instanceof ApiError)) {
      this.#log.error('failed', { kind: intent.kind, error: error instanceof Error ? error.message : 'unknown' })
      const needsPerson = error instanceof AppError && error.code === 'session/token-static'
      if (needsPerson) return this.#holdAll(intent, error.code)
      return this.#wait(intent, this.#backoff(intent), 'app/internal')
    }
    const step = taskStep(error.verdict, { attempt: intent.attempts, removes: REMOVES.has(intent.kind) })
    this.#log.info('refused', { kind: intent.kind, code: error.code, step, attempts: intent.attempts })
    // The server accepted the account and rejected only this request.
    if (error.failure.kind === 'answer' && (step === 'done' || step === 'verify' || step === 'park')) this.#endHold()
    switch (step) {
      case 'done':
        return await this.#acknowledge(intent, {})
      case 'verify':
        return this.#verify(intent, error, signal)
      case 'park':
        return this.#park(intent, error.code, error.retryable)
      case 'hold':
        return this.#holdAll(intent, error.code)
      case 'wait':
        return this.#wait(intent, this.#pauseFor(intent, error), error.code, false)
      case 'retry-slowly':
        return this.#wait(intent, Math.max(SLOW_RETRY_MS, this.#backoff(intent)), error.code)
      case 'retry':
        return this.#wait(intent, this.#backoff(intent), error.code)
    }
  }

  async #verify(intent: Intent, error: ApiError, signal: AbortSignal): Promise<void> {
    try {
      const done = await this.#options.verify(intent, signal)
      if (done) await this.#acknowledge(intent, done)
      else this.#park(intent, error.code, false)
    } catch (cause) {
      if (this.#isStopped) return
      this.#log.info('unverified', { kind: intent.kind, error: cause instanceof ApiError ? cause.code : 'unknown' })
      this.#wait(intent, this.#backoff(intent), error.code)
    }
  }

  #pauseFor(intent: Intent, error: ApiError): number {
    const cooldownMs = error.class === 'cooldown' ? this.#options.cooldownMs?.(intent) : undefined
    return error.retryAfterMs ?? cooldownMs ?? UNKNOWN_LIMIT_MS
  }

  #backoff(intent: Intent): number {
    return Math.max(MIN_RETRY_MS, backoffMs(intent.attempts, this.#options.ids.random()))
  }

  /** `lifts`: a new connection ends the wait early. */
  #wait(intent: Intent, ms: number, code: string, lifts = true): void {
    const onlineMs = this.#retries.onlineMs(intent)
    if (onlineMs >= GIVE_UP_AFTER_ONLINE_MS) return this.#park(intent, 'outbox/gave-up', true)
    this.#retries.delay(intent.id, ms, lifts)
    const reason = { code, params: { onlineMs: Math.round(onlineMs) } }
    this.#outbox.update(intent.id, { state: 'waiting', nextAt: this.#clock.now() + ms, reason })
  }

  /** The user has to do something first: the whole queue waits until a request is accepted, or for a new connection. */
  #holdAll(intent: Intent, code: string): void {
    this.#hold.refused()
    this.#retries.delay(intent.id, this.#backoff(intent), true)
    this.#outbox.update(intent.id, { state: 'ready' })
    this.#options.onHeld(code)
  }

  #endHold(): void {
    if (this.#hold.accepted()) this.#options.onFreed?.()
  }

  #park(intent: Intent, code: string, retryable: boolean, params?: Params): void {
    const reason = { code, params }
    this.#outbox.update(intent.id, { state: 'parked', reason, retryable })
    this.#retries.ended(intent.id)
    this.#options.onParked({ ...intent, state: 'parked', reason, retryable })
  }

  #uploadsUnderWay(): readonly string[] {
    return [...this.#running.keys()].filter((id) => this.#outbox.byId(id)?.kind === 'upload')
  }

  async #restart(id: string): Promise<void> {
    const task = this.#running.get(id)
    if (task === undefined) return
    task.abort.abort()
    await task.done
    this.#retries.lift(id)
    this.kick()
  }
}

/** Writes queued items together, because one commit costs the same for several items as for one. */
type BatchWriter<Item> = {
  /** Resolves once the item is written; rejects when it, alone, cannot be. */
  add(item: Item): Promise<void>
  /** How many items are queued. */
  count(): number
  /** Writes the queued items now. */
  flush(): void
}

type Waiting<Item> = { readonly item: Item; readonly resolve: () => void; readonly reject: (error: unknown) => void }

/**
 * @param write writes all items or none, and may be called again with items it refused: when a batch fails, each item is
 *   tried alone, so that one bad item does not block the others
 */
export function createBatchWriter<Item>(
  clock: Pick<Clock, 'after'>,
  write: (items: readonly Item[]) => void,
): BatchWriter<Item> {
  let waiting: Waiting<Item>[] = []
  let planned: Stop | undefined

  function flush(): void {
    planned?.()
    planned = undefined
    const due = waiting
    waiting = []
    if (due.length > 0) attempt(due)
  }

  function attempt(due: readonly Waiting<Item>[]): void {
    try {
      write(due.map(({ item }) => item))
    } catch (error) {
      if (due.length > 1) return due.forEach((each) => attempt([each]))
      return due[0]?.reject(error)
    }
    for (const { resolve } of due) resolve()
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        planned ??= clock.after(0, flush)
      }),
    count: () => waiting.length,
    flush,
  }
}
