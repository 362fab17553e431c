import { AppError } from '#shared/lib/app-error.ts'
import { WIRE_CODES, type WireCodeName } from '#shared/wire/errors.ts'
import type { TransportError } from '../ports.ts'

/** The failure of one call, before it is classified. */
export type Failure =
  | { readonly kind: 'transport'; readonly transport: TransportError['kind']; readonly sent: boolean }
  /** 2xx, but not a JSON object: a captive portal or a proxy responded. */
  | { readonly kind: 'foreign-answer'; readonly status: number }
  /** The response belongs to another request: `stray` is the field that shows it. */
  | { readonly kind: 'wrong-answer'; readonly status: number; readonly stray: string }
  | { readonly kind: 'redirect'; readonly status: number }
  /** The token provider returned no token, so nothing was sent. */
  | { readonly kind: 'no-token' }
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly wireCode?: number
      readonly message?: string
      readonly unrecoverable?: boolean
    }

/** Class of a failure. An unknown outcome is `network` with `sent`. */
export type FailureClass =
  | 'network'
  | 'aborted'
  | 'token'
  | 'clock'
  | 'auth'
  | 'forbidden'
  | 'gone'
  | 'exists'
  | 'invalid'
  | 'rate'
  | 'cooldown'
  | 'server'
  | 'connection-id'
  | 'refused'

/**
 * What the outbox does with the task. `retry`: back-off, same client id; `retry-slowly`: the same, at least 10 s later;
 * `hold`: stop the whole queue until a sign-in; `park`: show it with its reason and continue; `verify`: read the entity
 * back, then done or park; `wait`: until the rate limit or the channel's cooldown has passed.
 */
export type TaskAction = 'retry' | 'retry-slowly' | 'hold' | 'park' | 'verify' | 'wait'

/** What a reading call does: show the cache and retry, retry up to three times, or stop and report the reason. */
type QueryAction = 'cache-and-retry' | 'retry' | 'stop'

/** What the session does: require a sign-in, report the clock, stop with a blocking notice, or reconnect. */
type SessionAction = 'none' | 'renew-token' | 'sign-in' | 'report-clock' | 'block' | 'reconnect'

export type Verdict = {
  readonly class: FailureClass
  readonly task: TaskAction
  readonly query: QueryAction
  readonly session: SessionAction
  /** Repeating the same request unchanged can help. */
  readonly retryable: boolean
  /** Attempts that the class allows before `afterTries` replaces `task`. Absent: no separate limit. */
  readonly tries?: number
  readonly afterTries?: TaskAction
  /** Key of the text in `errors.json`. */
  readonly code: string
}

type Row = Omit<Verdict, 'code'>

const NETWORK: Row = { class: 'network', task: 'retry', query: 'cache-and-retry', session: 'none', retryable: true }
const PORTAL: Row = { ...NETWORK, task: 'retry-slowly' }
/**
 * It is unknown whether the request had an effect, as with a lost response. Bounded: a server that assigns its own names
 * would create another object with every attempt.
 */
const WRONG: Row = { ...NETWORK, tries: 20, afterTries: 'park' }
const SERVER: Row = { class: 'server', task: 'retry', query: 'retry', session: 'none', retryable: true }
const INVALID: Row = { class: 'invalid', task: 'park', query: 'stop', session: 'none', retryable: false }
const AUTH: Row = { class: 'auth', task: 'hold', query: 'stop', session: 'sign-in', retryable: false }
const FORBIDDEN: Row = { class: 'forbidden', task: 'park', query: 'stop', session: 'none', retryable: false }
const GONE: Row = { class: 'gone', task: 'park', query: 'stop', session: 'none', retryable: false }
const RATE: Row = { class: 'rate', task: 'wait', query: 'retry', session: 'none', retryable: true }
const REFUSED: Row = { class: 'refused', task: 'hold', query: 'stop', session: 'block', retryable: false }
/** A rejected token that can be replaced: retried once with a new one, then the user has to sign in. */
const TOKEN: Row = { class: 'token', task: 'hold', query: 'retry', session: 'renew-token', retryable: false, tries: 1 }
const CLOCK: Row = {
  class: 'clock',
  task: 'retry',
  query: 'retry',
  session: 'report-clock',
  retryable: true,
  tries: 3,
  afterTries: 'hold',
}

/** One entry per code of the catalogue. */
const BY_CODE: { readonly [Name in WireCodeName]: Row & { readonly text: string } } = {
  internal: { ...SERVER, text: 'internal' },
  accessKey: { ...AUTH, text: 'access-key' },
  authenticationFailed: { ...TOKEN, retryable: true, text: 'authentication-failed' },
  input: { ...INVALID, text: 'input' },
  authentication: { ...AUTH, text: 'authentication' },
  duplicateUsername: { ...INVALID, text: 'duplicate-username' },
  rateLimit: { ...RATE, text: 'rate-limit' },
  doesNotExist: { ...GONE, text: 'not-found' },
  notAllowed: { ...FORBIDDEN, text: 'not-allowed' },
  eventNotSupported: { ...INVALID, text: 'event-not-supported' },
  featureNotSupported: { ...INVALID, text: 'feature-not-supported' },
  messageTooLong: { ...INVALID, text: 'message-too-long' },
  multipleNesting: { ...INVALID, text: 'multiple-nesting' },
  payloadTooBig: { ...INVALID, text: 'payload-too-big' },
  requestTimeout: { ...SERVER, text: 'request-timeout' },
  headerTooBig: { ...INVALID, text: 'header-too-big' },
  tokenExpired: { ...TOKEN, text: 'token-expired' },
  tokenNotValidYet: { ...CLOCK, text: 'token-not-valid-yet' },
  tokenBeforeIssued: { ...CLOCK, text: 'token-before-issued' },
  tokenSignature: { ...AUTH, text: 'token-signature' },
  customCommandMissing: { ...INVALID, text: 'custom-command-missing' },
  customCommandFailed: { ...SERVER, text: 'custom-command-failed' },
  connectionIdNotFound: {
    class: 'connection-id',
    task: 'retry',
    query: 'retry',
    session: 'reconnect',
    retryable: false,
    text: 'connection-id-not-found',
  },
  cooldown: { class: 'cooldown', task: 'wait', query: 'retry', session: 'none', retryable: true, text: 'cooldown' },
  wrongRegion: { ...REFUSED, text: 'wrong-region' },
  queryChannelPermissions: { ...FORBIDDEN, text: 'query-not-allowed' },
  tooManyConnections: { ...SERVER, text: 'too-many-connections' },
  appSuspended: { ...REFUSED, text: 'app-suspended' },
}

const NAME_OF = new Map<number, WireCodeName>(
  (Object.keys(WIRE_CODES) as WireCodeName[]).map((name) => [WIRE_CODES[name].code, name]),
)

/** Every `AppError` code that this catalogue can produce: `errors.json` must contain a text for each. */
export const API_ERROR_CODES: readonly string[] = [
  ...[
    'offline',
    'timeout',
    'aborted',
    'answer-too-large',
    'portal',
    'proxy-sign-in',
    'redirect',
    'certificate',
    'wrong-answer',
  ].map((text) => `network/${text}`),
  ...Object.values(BY_CODE).map((row) => `server/${row.text}`),
  'session/token-provider',
  'server/already-exists',
  'server/refused',
  'server/rejected',
  'server/unavailable',
  'server/closed',
]

/** The server's clock says that the token is not valid yet. */
export const isClockError = (code: string): boolean =>
  Object.values(BY_CODE).some((row) => row.class === 'clock' && `server/${row.text}` === code)

/** Classifies a failure. Pure. */
export function classify(failure: Failure): Verdict {
  switch (failure.kind) {
    case 'transport':
      return transportVerdict(failure.transport)
    case 'foreign-answer':
      return { ...PORTAL, code: 'network/portal' }
    case 'wrong-answer':
      return { ...WRONG, code: 'network/wrong-answer' }
    case 'redirect':
      return { ...PORTAL, query: 'retry', code: 'network/redirect' }
    case 'no-token':
      return { ...NETWORK, code: 'session/token-provider' }
    case 'answer':
      return answerVerdict(failure)
  }
}

/**
 * What the outbox does with this task now. `attempt` counts from 1; `removes` is true for tasks that are fulfilled when
 * the target no longer exists (removing a reaction, deleting a draft or a message).
 */
export function taskStep(verdict: Verdict, task: { attempt: number; removes: boolean }): TaskAction | 'done' {
  if (verdict.class === 'gone' && task.removes) return 'done'
  if (verdict.tries !== undefined && verdict.afterTries && task.attempt >= verdict.tries) return verdict.afterTries
  return verdict.task
}

function transportVerdict(kind: TransportError['kind']): Verdict {
  switch (kind) {
    case 'network':
      return { ...NETWORK, code: 'network/offline' }
    case 'timeout':
      return { ...NETWORK, code: 'network/timeout' }
    case 'certificate':
      return { ...PORTAL, code: 'network/certificate' }
    case 'aborted':
      return { ...NETWORK, class: 'aborted', query: 'stop', code: 'network/aborted' }
    case 'too-large':
      return { ...INVALID, code: 'network/answer-too-large' }
  }
}

function answerVerdict(failure: Extract<Failure, { kind: 'answer' }>): Verdict {
  const name = failure.wireCode === undefined ? undefined : NAME_OF.get(failure.wireCode)
  if (name === 'input' && /already exists/i.test(failure.message ?? '')) {
    return { ...INVALID, class: 'exists', task: 'verify', code: 'server/already-exists' }
  }
  const verdict = name ? named(name) : unnamed(failure)
  if (!failure.unrecoverable || verdict.class === 'auth' || verdict.class === 'token') return verdict
  return verdict.retryable ? { ...INVALID, code: verdict.code } : verdict
}

function named(name: WireCodeName): Verdict {
  const { text, ...row } = BY_CODE[name]
  return { ...row, code: `server/${text}` }
}

/** A bare status, or a code this version does not know. */
function unnamed(failure: Extract<Failure, { kind: 'answer' }>): Verdict {
  const { status } = failure
  if (failure.unrecoverable) return { ...INVALID, code: 'server/rejected' }
  // A proxy requires a sign-in and responds instead of the server.
  if (status === 407) return { ...PORTAL, code: 'network/proxy-sign-in' }
  if (status >= 500) return { ...SERVER, code: 'server/unavailable' }
  if (status === 408) return { ...SERVER, code: 'server/request-timeout' }
  if (status === 429) return { ...RATE, code: 'server/rate-limit' }
  if (failure.wireCode !== undefined) return unknownCode(status)
  if (status === 401 || status === 403) return { ...AUTH, code: 'server/refused' }
  if (status === 404) return { ...GONE, code: 'server/not-found' }
  if (status >= 400) return { ...INVALID, code: 'server/rejected' }
  return { ...SERVER, code: 'server/unavailable' }
}

const unknownCode = (status: number): Verdict =>
  status >= 400 && status < 500 ? { ...INVALID, code: 'server/rejected' } : { ...SERVER, code: 'server/unavailable' }

/** A failed call to the server. `code` names the text for the user, `verdict` what to do, `failure` what happened. */
export class ApiError extends AppError {
  readonly failure: Failure
  readonly verdict: Verdict
  /** The HTTP status; absent if no response was read. */
  readonly status: number | undefined
  readonly wireCode: number | undefined
  /** For `rate`: milliseconds until the server's limit resets, jitter included. */
  readonly retryAfterMs: number | undefined

  constructor(failure: Failure, options: { operation: string; retryAfterMs?: number; cause?: unknown }) {
    const verdict = classify(failure)
    super(verdict.code, {
      params: { operation: options.operation },
      detail: describe(failure),
      cause: options.cause,
    })
    this.name = 'ApiError'
    this.failure = failure
    this.verdict = verdict
    this.status = 'status' in failure ? failure.status : undefined
    this.wireCode = failure.kind === 'answer' ? failure.wireCode : undefined
    this.retryAfterMs = options.retryAfterMs
  }

  get class(): FailureClass {
    return this.verdict.class
  }

  get retryable(): boolean {
    return this.verdict.retryable
  }

  /** The server may have processed the request: repeat only with the same client id. */
  get outcomeUnknown(): boolean {
    const { failure } = this
    if (failure.kind === 'transport') return failure.sent
    return failure.kind === 'foreign-answer' || failure.kind === 'wrong-answer'
  }
}

/** Detail for the log: code or status, and the server's message. See docs/wire.md 1.6 "client wrapping". */
function describe(failure: Failure): string {
  if (failure.kind === 'transport') return `no answer: ${failure.transport}`
  if (failure.kind === 'no-token') return 'the token provider gave no token'
  if (failure.kind === 'wrong-answer') return `an answer to something else: ${failure.stray} (HTTP ${failure.status})`
  if (failure.kind !== 'answer') return `${failure.kind} (HTTP ${failure.status})`
  const label = failure.wireCode === undefined ? `HTTP ${failure.status}` : `code ${failure.wireCode}`
  return failure.message ? `${label}: ${failure.message}` : label
}
