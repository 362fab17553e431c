import * as v from 'valibot'
import type { UnknownEvent, WireEvent } from '#shared/wire/events.ts'
import type { WireOwnUser } from '#shared/wire/objects.ts'
import { classify, type Verdict } from '../api/errors.ts'

/** A parsed frame by its kind. */
export type Frame =
  | { readonly kind: 'health'; readonly connectionId?: string; readonly me?: WireOwnUser; readonly at?: number }
  | { readonly kind: 'event'; readonly event: WireEvent | UnknownEvent }
  | {
      readonly kind: 'error'
      readonly code?: number
      readonly status: number
      readonly message: string
      readonly unrecoverable: boolean
    }
  | { readonly kind: 'malformed' }

/** Passed on as it is: a copy of each object of an event would cost more than looking at it. */
const noun = v.nullish(v.custom<Readonly<Record<string, unknown>>>((value) => typeof value === 'object'))
const text = v.nullish(v.string())

/** The envelope only: nested objects are checked one by one by main/engine/decode. See docs/wire.md 4.1. */
const envelope = v.looseObject({
  type: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  created_at: text,
  received_at: text,
  cid: text,
  channel: noun,
  user: noun,
  message: noun,
  member: noun,
  me: noun,
})

const errorFrame = v.looseObject({
  error: v.looseObject({
    code: v.nullish(v.number()),
    message: v.nullish(v.string()),
    StatusCode: v.nullish(v.number()),
    unrecoverable: v.nullish(v.boolean()),
  }),
})

/**
 * Classifies one parsed frame. `receivedAt` is the local time of its arrival, stored beside the event's own time: an event
 * without a time gets none, because missed events are requested by the server's time alone. Never throws.
 */
export function readFrame(frame: unknown, receivedAt: number): Frame {
  const error = mayBeError(frame) ? v.safeParse(errorFrame, frame) : undefined
  if (error?.success) return readError(error.output.error)
  const parsed = v.safeParse(envelope, frame)
  if (!parsed.success) return { kind: 'malformed' }
  if (parsed.output.type === 'health.check') return readHealth(parsed.output)
  return { kind: 'event', event: stamped(parsed.output, receivedAt) }
}

/** Nearly no frame is: to try each would cost as much as reading it. */
const mayBeError = (frame: unknown): boolean => typeof frame === 'object' && frame !== null && 'error' in frame

function readError(error: v.InferOutput<typeof errorFrame>['error']): Frame {
  return {
    kind: 'error',
    code: error.code ?? undefined,
    status: error.StatusCode ?? 0,
    message: error.message ?? '',
    unrecoverable: error.unrecoverable === true,
  }
}

function readHealth(event: v.InferOutput<typeof envelope>): Frame {
  const { connection_id: connectionId, me, created_at: createdAt } = event
  const at = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN
  return {
    kind: 'health',
    connectionId: typeof connectionId === 'string' && connectionId !== '' ? connectionId : undefined,
    ...(me && typeof me['id'] === 'string' ? { me: me as WireOwnUser } : {}),
    at: Number.isNaN(at) ? undefined : at,
  }
}

function stamped(event: v.InferOutput<typeof envelope>, receivedAt: number): UnknownEvent {
  const received = event.received_at ?? new Date(receivedAt).toISOString()
  const known = Object.values(event).some(isAbsent)
    ? Object.fromEntries(Object.entries(event).filter(([, value]) => !isAbsent(value)))
    : event
  return { ...known, type: event.type, received_at: received }
}

const isAbsent = (value: unknown): boolean => value === null || value === undefined

export type ErrorFrame = Extract<Frame, { kind: 'error' }>

export const verdictOf = (frame: ErrorFrame): Verdict =>
  classify({
    kind: 'answer',
    status: frame.status,
    wireCode: frame.code,
    message: frame.message,
    unrecoverable: frame.unrecoverable,
  })

type Tried = {
  readonly code: number | undefined
  /** Whether the token can be replaced by a new one. */
  readonly mayRenew: boolean
  readonly renewals: number
  readonly onFallback: boolean
}

/**
 * What to do after a rejected handshake: renew the token, retry with back-off, retry slowly until the clocks agree, or
 * wait for the user. See docs/wire.md 2.4.
 */
export function refusedStep(verdict: Pick<Verdict, 'class'>, tried: Tried): 'renew' | 'again' | 'clock' | 'block' {
  switch (verdict.class) {
    case 'token':
      if (!tried.mayRenew) return 'block'
      return tried.code === 40 || tried.renewals === 0 ? 'renew' : 'block'
    case 'clock':
      return 'clock'
    case 'server':
    case 'rate':
      // An overloaded server also responds with an error frame; blocking would leave users offline after it recovers.
      return 'again'
    case 'auth':
    case 'refused':
      return 'block'
    case 'aborted':
    case 'connection-id':
    case 'cooldown':
    case 'exists':
    case 'forbidden':
    case 'gone':
    case 'invalid':
    case 'network':
      // A server without long-polling rejects it; that says nothing about the websocket.
      return tried.onFallback ? 'again' : 'block'
  }
}

/** Texts of the contract (docs/wire.md, appendix C), for the log and the details of a failure. */
export const CONNECT_TWICE = "You've called connect twice, can only attempt 1 connection at the time"
export const NO_INITIAL_CONNECTION = 'initial WS connection could not be established'
export const wsFailed = (code: number, reason: string): string => `WS failed with code ${code} and reason - ${reason}`
