import { rmSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { openStores, type Stores } from '#main/cache/files/open.ts'
import { ApiError, type Failure } from '#main/engine/api/errors.ts'
import { Outbox } from '#main/engine/outbox/outbox.ts'
import { type Done, Runner } from '#main/engine/outbox/runner.ts'
import { logger, silentSink } from '#main/lib/logger.ts'
import type { Intent } from '#shared/domain/intent.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'

/** What the server, or the connection to it, does with one request. */
export type Outcome =
  | 'ok'
  | 'no line'
  | 'answer lost'
  | 'in trouble'
  | 'refused'
  | 'portal'
  /** The server did it, and the response was the one to another request. */
  | 'another answer'
  /** The same, and the request never reached the server. */
  | 'answered for another'
  /** A proxy refused with 401 by mistake. */
  | 'stray 401'
export type Op =
  | { readonly do: 'send'; readonly channel: number }
  | { readonly do: 'later'; readonly channel: number; readonly inMs: number }
  | { readonly do: 'delete'; readonly which: number }
  | { readonly do: 'edit'; readonly which: number }
  | { readonly do: 'crash' }
  | { readonly do: 'line'; readonly up: boolean }
  | { readonly do: 'pass'; readonly ms: number }

type Entry = { readonly id: string; readonly cid: string; text: string; isDeleted: boolean; readonly isTimed: boolean }
type Row = { readonly cid: string; text: string; isDeleted: boolean }

const FAILURES: Readonly<Record<Exclude<Outcome, 'ok' | 'answer lost' | 'another answer'>, Failure>> = {
  'no line': { kind: 'transport', transport: 'network', sent: false },
  'in trouble': { kind: 'answer', status: 503 },
  refused: { kind: 'answer', status: 400, wireCode: 20 },
  portal: { kind: 'foreign-answer', status: 200 },
  'stray 401': { kind: 'answer', status: 401 },
  'answered for another': { kind: 'wrong-answer', status: 201, stray: 'message.id' },
}
const LOST: Failure = { kind: 'transport', transport: 'timeout', sent: true }
const EXISTS: Failure = { kind: 'answer', status: 400, wireCode: 4, message: 'already exists' }
const GONE: Failure = { kind: 'answer', status: 404, wireCode: 16 }
const ACTS: ReadonlySet<Outcome> = new Set<Outcome>(['ok', 'answer lost', 'another answer', 'refused'])
const fail = (failure: Failure): never => {
  throw new ApiError(failure, { operation: 'Call' })
}

/** The real outbox and runner over a real file, against a server of a few lines. */
export class OutboxModel {
  readonly faults: string[] = []
  readonly #clock = new ManualClock()
  readonly #ids = seededIds(7)
  readonly #folder: string
  readonly #entries: Entry[] = []
  readonly #rows = new Map<string, Row>()
  /** Ids that were refused permanently. */
  readonly #refused = new Set<string>()
  readonly #script: readonly Outcome[]
  #at = 0
  #up = true
  #stores: Stores
  #outbox: Outbox
  #runner: Runner
  /** Counts processes: responses to an ended process are ignored. */
  #life = 0

  constructor(script: readonly Outcome[], disk: string) {
    this.#script = script
    this.#folder = mkdtempSync(join(disk, 'parlor-model-'))
    ;[this.#stores, this.#outbox, this.#runner] = this.#open()
  }

  async run(ops: readonly Op[]): Promise<readonly string[]> {
    try {
      for (const op of ops) await this.#apply(op)
      this.#at = Number.POSITIVE_INFINITY
      // A connection that is up stays as it is: what waits must continue without a reconnect.
      if (!this.#up) this.#runner.open()
      this.#up = true
      await this.#clock.advance(300_000)
      this.#judge()
      return this.faults
    } finally {
      this.#life += 1
      this.#close()
      rmSync(this.#folder, { recursive: true, force: true })
    }
  }

  #open(): [Stores, Outbox, Runner] {
    const [clock, ids] = [this.#clock, this.#ids]
    const options = { folder: this.#folder, viewerId: asUserId('me'), clock, ids, log: silentSink, installId: 'i' }
    const stores = openStores(options)
    const outbox = new Outbox({ store: stores.outbox, ids, clock })
    outbox.recoverInflight()
    const life = this.#life
    const runner = new Runner({
      outbox,
      clock: { ...clockOf(clock), after: (ms, fn) => clock.after(ms, () => life === this.#life && fn()) },
      ids,
      log: logger('outbox', silentSink),
      perform: (intent) => this.#perform(intent),
      verify: async (intent) => this.#verify(intent),
      applyFacts: () => undefined,
      filesReady: () => true,
      onParked: () => undefined,
      onHeld: () => undefined,
    })
    if (this.#up) runner.open()
    return [stores, outbox, runner]
  }

  #close(): void {
    for (const { reader } of [this.#stores.cache, this.#stores.outbox]) reader.db.raw.close()
  }

  async #apply(op: Op): Promise<void> {
    if (op.do === 'send') this.#send(`team:${op.channel}`)
    else if (op.do === 'later') this.#send(`team:${op.channel}`, this.#clock.now() + op.inMs)
    else if (op.do === 'pass') await this.#clock.advance(op.ms)
    else if (op.do === 'crash') this.#crash()
    else if (op.do === 'line') {
      this.#up = op.up
      if (op.up) this.#runner.open()
      else this.#runner.shut()
    } else this.#change(op)
    this.#runner.kick()
  }

  #send(channel: string, notBefore?: number): void {
    const id = `m${this.#entries.length}`
    const payload = { text: id, mentionedUserIds: [], showInChannel: false, uploadIds: [], placedAt: 1 }
    this.#outbox.add({ kind: 'send-message', id, cid: asCid(channel), messageId: asMessageId(id), payload, notBefore })
    this.#entries.push({ id, cid: channel, text: id, isDeleted: false, isTimed: notBefore !== undefined })
  }

  #change(op: Extract<Op, { which: number }>): void {
    const alive = this.#entries.filter(({ isDeleted }) => !isDeleted)
    const entry = alive[op.which % Math.max(1, alive.length)]
    if (!entry) return
    const unsent = this.#outbox.byId(entry.id)
    const about = { cid: asCid(entry.cid), messageId: asMessageId(entry.id), dependsOn: unsent?.id }
    if (op.do === 'delete') {
      this.#outbox.add({ ...about, kind: 'delete-message', payload: { deletedAt: 1 } })
      entry.isDeleted = true
    } else {
      entry.text += '!'
      this.#outbox.add({
        ...about,
        kind: 'edit-message',
        payload: { text: entry.text, mentionedUserIds: [], editedAt: 1 },
      })
    }
  }

  /** The process is killed and started again; what was accepted until now is on disk. */
  #crash(): void {
    // A scheduled message may become due between two processes, and is then behind the others.
    const timed = new Set(this.#outbox.all().flatMap(({ id, state }) => (state === 'scheduled' ? [id] : [])))
    const order = () => this.#outbox.all().flatMap(({ id, seq }) => (timed.has(id) ? [] : [`${id} ${seq}`]))
    const before = [...order(), ...timed]
    this.#life += 1
    this.#close()
    ;[this.#stores, this.#outbox, this.#runner] = this.#open()
    const after = [...order(), ...[...timed].filter((id) => this.#outbox.byId(id) !== undefined)]
    if (after.join() !== before.join()) this.faults.push(`I6: ${before.join()} became ${after.join()}`)
  }

  async #perform(intent: Intent): Promise<Done> {
    const life = this.#life
    const outcome = this.#script[this.#at++] ?? 'ok'
    await new Promise<void>((resolve) => this.#clock.after(20, resolve))
    const acts = this.#up && ACTS.has(outcome)
    let failure: Failure | undefined
    if (!this.#up) failure = FAILURES['no line']
    else if (acts) failure = this.#onServer(intent, outcome === 'refused')
    else failure = FAILURES[outcome as keyof typeof FAILURES]
    await new Promise<void>((resolve) => this.#clock.after(20, resolve))
    // An ended process receives no response.
    if (life !== this.#life) return new Promise(() => undefined)
    if (outcome === 'answer lost') fail(LOST)
    if (outcome === 'another answer') fail(FAILURES['answered for another'])
    return failure ? fail(failure) : {}
  }

  #onServer(intent: Intent, refuses: boolean): Failure | undefined {
    const id = intent.messageId ?? ''
    const row = this.#rows.get(id)
    if (intent.kind === 'send-message') {
      if (row) return EXISTS
      if (refuses) {
        this.#refused.add(id)
        return FAILURES.refused
      }
      this.#rows.set(id, { cid: intent.cid, text: intent.payload.text, isDeleted: false })
    } else if (!row || (row.isDeleted && intent.kind === 'edit-message')) return GONE
    else if (intent.kind === 'edit-message') row.text = intent.payload.text
    else row.isDeleted = true
    return undefined
  }

  #verify(intent: Intent): Done | undefined {
    const row = this.#rows.get(intent.messageId ?? '')
    return row && intent.kind === 'send-message' && row.text === intent.payload.text ? {} : undefined
  }

  #judge(): void {
    const left = this.#outbox.all()
    const report = (text: string): void => void this.faults.push(text)
    const isHeldUp = ({ dependsOn }: Intent): boolean =>
      left.some(({ id, state }) => id === dependsOn && state === 'parked')
    for (const intent of left)
      if (intent.state !== 'parked' && !isHeldUp(intent)) report(`I5: ${intent.id} still waits as ${intent.state}`)
    const parked = new Set(left.map(({ messageId }) => messageId as string))
    for (const { id, text, isDeleted } of this.#entries) {
      const row = this.#rows.get(id)
      const isSent = row !== undefined && !row.isDeleted
      if (isDeleted ? isSent : isSent === parked.has(id))
        report(`I1: ${id} is sent: ${isSent}, parked: ${parked.has(id)}`)
      if (isSent && !isDeleted && row.text !== text && !parked.has(id))
        report(`I1: ${id} reads ${row.text}, not ${text}`)
    }
    for (const id of this.#rows.keys())
      if (!this.#entries.some((entry) => entry.id === id)) report(`I2: ${id} was never accepted`)
    for (const id of parked) if (!this.#refused.has(id)) report(`I4: ${id} is parked and was not refused`)
    this.#judgeOrder(report)
  }

  #judgeOrder(report: (text: string) => void): void {
    for (const cid of new Set(this.#entries.map((entry) => entry.cid))) {
      const stored = [...this.#rows].filter(([, row]) => row.cid === cid).map(([id]) => id)
      // Scheduled messages have their own order; a refused one may be retried later.
      const apart = new Set([...this.#refused, ...this.#entries.flatMap(({ id, isTimed }) => (isTimed ? [id] : []))])
      const wanted = this.#entries
        .filter((entry) => stored.includes(entry.id) && !apart.has(entry.id))
        .map(({ id }) => id)
      const got = stored.filter((id) => !apart.has(id))
      if (wanted.join() !== got.join()) report(`I3: ${cid} has ${got.join()}, accepted ${wanted.join()}`)
    }
  }
}

const clockOf = (clock: ManualClock) => ({ now: () => clock.now(), monotonic: () => clock.monotonic() })
