import * as v from 'valibot'
import { AppError, type ErrorBody } from '#shared/lib/app-error.ts'
import type { RateClass } from '#shared/lib/contract.ts'
import type { ClientWindow, MediaFile, WindowRequests } from '#main/hosts/host.ts'
import type { Clock } from '#main/lib/clock.ts'
import { asDiskError } from '#main/lib/disk-error.ts'
import { logger, type LogSink } from '#main/lib/logger.ts'

/** A call of the contract, as the dispatcher uses it. */
type AnyCall = { readonly input: v.GenericSchema; readonly rate: RateClass }
type AnyHandler = (input: never, context: never) => unknown
export type AnyArea = Readonly<Record<string, AnyHandler>>

type DispatchOptions = {
  /** The contract: nothing else can be called. */
  readonly contract: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: LogSink
}

/** The app as windows see it. */
type Served = {
  /**
   * Handlers of one area for one window, and the context they receive. Throws an `AppError` if the window has none now
   * (signed out).
   */
  readonly handlersFor: (
    window: ClientWindow,
    area: string,
  ) => { readonly handlers: AnyArea; readonly context: unknown }
  /** Called for each call after its input was validated and before it runs; throws an `AppError` to refuse it. */
  readonly check?: (call: string, input: unknown, window: ClientWindow) => void
  readonly closed?: (window: ClientWindow) => void
  readonly media?: (window: ClientWindow, ref: string, variant: 'full' | 'thumb') => Promise<MediaFile | undefined>
}

export type Dispatch = WindowRequests & {
  /** From now on, calls of windows are handled. */
  serve(app: Served): void
}

/**
 * The only way from a window into main: size limits → known name → rate → schema → handler. It is created before the
 * host, which authenticates windows, and before the app, which serves them.
 */
export function createDispatch(options: DispatchOptions): Dispatch {
  const log = logger('bridge', options.log)
  const rates = new Map<string, WindowRate>()
  let app: Served | undefined

  function rateOf(window: ClientWindow): WindowRate {
    const known = rates.get(window.id)
    if (known) return known
    const rate = new WindowRate(options.clock)
    rates.set(window.id, rate)
    return rate
  }

  function admit(window: ClientWindow, name: string, input: unknown): { area: string; call: string; parsed: unknown } {
    const { area, call, spec } = lookUp(options.contract, name)
    if (!rateOf(window).take(spec.rate)) throw new AppError('bridge/too-often')
    const problem = shapeProblem(input)
    if (problem !== undefined) throw new AppError('bridge/invalid-input', { detail: problem })
    const parsed = v.safeParse(spec.input, input, { abortEarly: true })
    if (!parsed.success) throw new AppError('bridge/invalid-input', { detail: fieldOf(parsed.issues[0]) })
    return { area, call, parsed: parsed.output }
  }

  async function run(window: ClientWindow, name: string, input: unknown): Promise<unknown> {
    if (!app) throw new AppError('bridge/starting')
    const { area, call, parsed } = admit(window, name, input)
    app.check?.(name, parsed, window)
    const { handlers, context } = app.handlersFor(window, area)
    const handler = Object.hasOwn(handlers, call) ? handlers[call] : undefined
    if (!handler) throw new Error(`Impossible: no handler for ${area}.${call}`)
    return handler(parsed as never, context as never)
  }

  return {
    async call(window, name, input) {
      try {
        return { ok: true, value: await run(window, name, input) }
      } catch (error) {
        return {
          ok: false,
          error: bodyOf(error, (fields) => log.error('handler-failed', { name: safeName(name), ...fields })),
        }
      }
    },
    closed(window) {
      rates.delete(window.id)
      app?.closed?.(window)
    },
    media: (window, ref, variant) => app?.media?.(window, ref, variant) ?? Promise.resolve(undefined),
    serve: (served) => void (app = served),
  }
}

/** `area.call`, both own keys of the contract: not `constructor` or `__proto__`. */
function lookUp(contract: DispatchOptions['contract'], name: unknown): { area: string; call: string; spec: AnyCall } {
  const [area, call, ...rest] = typeof name === 'string' ? name.split('.') : []
  if (area !== undefined && call !== undefined && rest.length === 0 && Object.hasOwn(contract, area)) {
    const calls = contract[area]
    if (calls && Object.hasOwn(calls, call)) return { area, call, spec: calls[call] as AnyCall }
  }
  throw new AppError('bridge/unknown-call')
}

const safeName = (name: unknown): string => (typeof name === 'string' ? name.slice(0, 60) : typeof name)

/** The path of the field that failed validation. Never the value: it may be user content. */
function fieldOf(issue: v.BaseIssue<unknown>): string {
  const path = issue.path?.map((step) => String(step.key)).join('.') ?? ''
  return path === '' ? issue.type : `${path}: ${issue.type}`
}

/**
 * Expected failures keep their code, and disk errors get one; anything else is a bug: logged here and reported as
 * `app/internal` without details.
 */
function bodyOf(thrown: unknown, report: (fields: Record<string, string>) => void): ErrorBody {
  const error = asDiskError(thrown)
  if (error instanceof AppError) return withoutPaths(error.toBody())
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  report({ error: stack.slice(0, 2_000) })
  return { code: 'app/internal' }
}

/** Removes a detail that contains a local path, such as a system error message. */
function withoutPaths(body: ErrorBody): ErrorBody {
  const hasPath = (text: string): boolean => /(^|[\s'"(=])(\/[^/\s]+\/|[A-Za-z]:\\)/.test(text)
  if (body.detail === undefined || !hasPath(body.detail)) return body
  const { detail: _detail, ...rest } = body
  return rest
}

/** Calls per second and burst of one window. */
const LIMITS: Record<RateClass, { readonly perSecond: number; readonly burst: number }> = {
  ordinary: { perSecond: 200, burst: 400 },
  // Reads everything a window shows: a page requests it once, and again after a disconnect.
  heavy: { perSecond: 2, burst: 10 },
  dialog: { perSecond: 5, burst: 5 },
}

/** Token buckets of one window, one per class. */
class WindowRate {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #buckets = new Map<RateClass, { left: number; at: number }>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Takes one call; false if the window exceeds its rate. */
  take(kind: RateClass): boolean {
    const { perSecond, burst } = LIMITS[kind]
    const now = this.#clock.monotonic()
    const bucket = this.#buckets.get(kind) ?? { left: burst, at: now }
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1_000) * perSecond)
    bucket.at = now
    this.#buckets.set(kind, bucket)
    if (bucket.left < 1) return false
    bucket.left -= 1
    return true
  }
}

type ShapeLimits = { readonly bytes: number; readonly depth: number; readonly nodes: number }

/** Limits of a window's input. */
const INPUT_LIMITS: ShapeLimits = { bytes: 1_048_576, depth: 32, nodes: 5_000 }

type ShapeProblem = 'too-large' | 'too-deep' | 'too-many' | 'not-plain'

type Pending = { readonly value: unknown; readonly depth: number }

/** Keys that could modify prototypes when assigned carelessly. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Whether a value is plain data within the limits: what a JSON parser or a structured clone accepts can still break a
 * later step. Iterative, so depth cannot overflow the stack, and a cycle ends as `too-deep`.
 */
export function shapeProblem(input: unknown, limits = INPUT_LIMITS): ShapeProblem | undefined {
  const pending: Pending[] = [{ value: input, depth: 1 }]
  let nodes = 0
  let bytes = 0
  for (let next = pending.pop(); next; next = pending.pop()) {
    nodes += 1
    if (nodes > limits.nodes) return 'too-many'
    if (next.depth > limits.depth) return 'too-deep'
    const { value, depth } = next
    if (typeof value === 'string') bytes += Buffer.byteLength(value)
    else if (typeof value === 'object' && value !== null) {
      if (!isPlain(value)) return 'not-plain'
      const keys = Object.keys(value)
      if (keys.length > limits.nodes) return 'too-many'
      for (const key of keys) {
        if (FORBIDDEN_KEYS.has(key)) return 'not-plain'
        bytes += key.length
        pending.push({ value: (value as Record<string, unknown>)[key], depth: depth + 1 })
      }
    } else if (!isPrimitive(value)) return 'not-plain'
    if (bytes > limits.bytes) return 'too-large'
  }
  return undefined
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

const isPrimitive = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))
