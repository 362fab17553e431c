import type { Connection } from '#shared/domain/session.ts'
import type { CallFigures, Diagnostics, FailureCount, Transition } from '#shared/domain/desktop/diagnostics.ts'
import type { Intent } from '#shared/domain/intent.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { LogSink } from '#main/lib/logger.ts'
import * as uploads from '#main/cache/outbox/uploads.ts'
import { ApiError } from './api/errors.ts'
import type { EngineApi, EngineConnection } from './context.ts'
import type { Core } from './core.ts'

const TRANSITIONS = 50
const SAMPLES = 100
/** Responses in a row that did not come from the server, before the user is notified. */
const PORTAL_AFTER = 3

type Calls = { answered: number; failed: number; lastAt: number; readonly tookMs: number[] }
type Failures = { count: number; lastAt: number; lastCode?: string }

/** Counts what happens in one engine. Records only names that are defined by this program, never content. */
export type Recorder = {
  connection(connection: Connection): void
  /**
   * The same API with its calls recorded. `onPortal` is called once each time a sign-in page seems to be in the way.
   */
  watch(api: EngineApi, onPortal: () => void): EngineApi
  /** The same log, with its warnings and errors counted by name. */
  counting(sink: LogSink): LogSink
  read(): Pick<Diagnostics, 'transitions' | 'calls' | 'failures'>
}

export function createRecorder(clock: Pick<Clock, 'now' | 'monotonic'>): Recorder {
  const transitions: Transition[] = []
  const calls = new Map<string, Calls>()
  const failures = new Map<string, Failures>()
  let foreign = 0

  function callsTo(operation: string): Calls {
    const known = calls.get(operation) ?? { answered: 0, failed: 0, lastAt: 0, tookMs: [] }
    calls.set(operation, known)
    known.lastAt = clock.now()
    return known
  }

  function fail(name: string, lastCode?: string): void {
    const count = (failures.get(name)?.count ?? 0) + 1
    failures.set(name, { count, lastAt: clock.now(), lastCode })
  }

  function refused(operation: string, error: unknown, onPortal: () => void): void {
    callsTo(operation).failed += 1
    if (!(error instanceof ApiError)) return fail('call/unknown')
    fail(`call/${error.class}`, error.code)
    if (error.failure.kind !== 'foreign-answer') return
    foreign += 1
    if (foreign === PORTAL_AFTER) onPortal()
  }

  async function watched<T>(operation: string, onPortal: () => void, work: () => Promise<T>): Promise<T> {
    const from = clock.monotonic()
    try {
      const reply = await work()
      foreign = 0
      const known = callsTo(operation)
      known.answered += 1
      known.tookMs.push(clock.monotonic() - from)
      if (known.tookMs.length > SAMPLES) known.tookMs.shift()
      return reply
    } catch (error) {
      refused(operation, error, onPortal)
      throw error
    }
  }

  return {
    connection({ state, transport, blocked }) {
      const last = transitions.at(-1)
      if (last?.state === state && last.transport === transport && last.blocked === blocked) return
      transitions.push({ at: clock.now(), state, transport, blocked })
      if (transitions.length > TRANSITIONS) transitions.shift()
    },
    watch: (api, onPortal) => ({
      send: (endpoint, request) => watched(endpoint.operation, onPortal, () => api.send(endpoint, request)),
      upload: (endpoint, request) => watched(endpoint.operation, onPortal, () => api.upload(endpoint, request)),
    }),
    counting: (sink) => (level, area, event, fields) => {
      if (level === 'warn' || level === 'error') fail(`${area}/${event}`)
      sink(level, area, event, fields)
    },
    read: () => ({
      transitions: [...transitions],
      calls: [...calls].map(([operation, known]) => figuresOf(operation, known)),
      failures: [...failures].map(([name, known]) => countOf(name, known)).toSorted((a, b) => b.count - a.count),
    }),
  }
}

function figuresOf(operation: string, { answered, failed, lastAt, tookMs }: Calls): CallFigures {
  const sorted = tookMs.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { operation, answered, failed, p50Ms: at(0.5), p95Ms: at(0.95), lastAt }
}

const countOf = (name: string, { count, lastAt, lastCode }: Failures): FailureCount => ({
  name,
  count,
  lastAt,
  lastCode,
})

type Parts = Pick<Core, 'memory' | 'outbox' | 'ports' | 'recorder' | 'serverNow' | 'stores' | 'syncState' | 'watched'>

/** Diagnostics of one engine, without any content. */
export function diagnose(core: Parts, connection: EngineConnection): Diagnostics {
  const { state, offline, transport, blocked } = core.memory.connection
  const now = core.ports.clock.now()
  const intents = core.outbox.all()
  return {
    at: now,
    connection: {
      state,
      offline,
      transport,
      blocked,
      caughtUp: core.syncState.caughtUp,
      watchedChannels: core.watched.size,
      malformedFrames: connection.malformedFrames?.() ?? 0,
    },
    ...core.recorder.read(),
    queue: {
      byState: tally(intents, (intent) => intent.state),
      byKind: tally(intents, (intent) => intent.kind),
      ...(intents[0] === undefined ? {} : { oldestAt: Math.min(...intents.map((intent) => intent.createdAt)) }),
      stagedBytes: uploads.stagedBytes(core.stores.outbox.reader),
    },
    clockOffsetMs: Math.round(core.serverNow() - now),
  }
}

function tally<Name extends string>(intents: readonly Intent[], nameOf: (intent: Intent) => Name) {
  const counts: Partial<Record<Name, number>> = {}
  for (const intent of intents) counts[nameOf(intent)] = (counts[nameOf(intent)] ?? 0) + 1
  return counts
}
