import { describe, expect, test } from 'vitest'
import { WIRE_CODES } from '#shared/wire/errors.ts'
import {
  API_ERROR_CODES,
  ApiError,
  classify,
  type Failure,
  type FailureClass,
  taskStep,
  type TaskAction,
} from './errors.ts'

const answer = (
  status: number,
  wireCode?: number,
  extra: { message?: string; unrecoverable?: boolean } = {},
): Failure => ({
  kind: 'answer',
  status,
  wireCode,
  ...extra,
})

type Expected = [FailureClass, first: TaskAction, third: TaskAction, removal: TaskAction | 'done']

/** Written out, not read from the code: class, task after the first attempt, after the third, and for a removal. */
const BY_CODE: Record<keyof typeof WIRE_CODES, Expected> = {
  internal: ['server', 'retry', 'retry', 'retry'],
  accessKey: ['auth', 'hold', 'hold', 'hold'],
  authenticationFailed: ['token', 'hold', 'hold', 'hold'],
  input: ['invalid', 'park', 'park', 'park'],
  authentication: ['auth', 'hold', 'hold', 'hold'],
  duplicateUsername: ['invalid', 'park', 'park', 'park'],
  rateLimit: ['rate', 'wait', 'wait', 'wait'],
  doesNotExist: ['gone', 'park', 'park', 'done'],
  notAllowed: ['forbidden', 'park', 'park', 'park'],
  eventNotSupported: ['invalid', 'park', 'park', 'park'],
  featureNotSupported: ['invalid', 'park', 'park', 'park'],
  messageTooLong: ['invalid', 'park', 'park', 'park'],
  multipleNesting: ['invalid', 'park', 'park', 'park'],
  payloadTooBig: ['invalid', 'park', 'park', 'park'],
  requestTimeout: ['server', 'retry', 'retry', 'retry'],
  headerTooBig: ['invalid', 'park', 'park', 'park'],
  tokenExpired: ['token', 'hold', 'hold', 'hold'],
  tokenNotValidYet: ['clock', 'retry', 'hold', 'retry'],
  tokenBeforeIssued: ['clock', 'retry', 'hold', 'retry'],
  tokenSignature: ['auth', 'hold', 'hold', 'hold'],
  customCommandMissing: ['invalid', 'park', 'park', 'park'],
  customCommandFailed: ['server', 'retry', 'retry', 'retry'],
  connectionIdNotFound: ['connection-id', 'retry', 'retry', 'retry'],
  cooldown: ['cooldown', 'wait', 'wait', 'wait'],
  wrongRegion: ['refused', 'hold', 'hold', 'hold'],
  queryChannelPermissions: ['forbidden', 'park', 'park', 'park'],
  tooManyConnections: ['server', 'retry', 'retry', 'retry'],
  appSuspended: ['refused', 'hold', 'hold', 'hold'],
}

function judged(failure: Failure): Expected {
  const verdict = classify(failure)
  const step = (attempt: number): TaskAction => taskStep(verdict, { attempt, removes: false }) as TaskAction
  return [verdict.class, step(1), step(3), taskStep(verdict, { attempt: 1, removes: true })]
}

describe('the table of failures', () => {
  test.each(Object.entries(WIRE_CODES))('AGR-61 classifies code %s', (name, { code, status, retryable }) => {
    expect(judged(answer(status, code))).toEqual(BY_CODE[name as keyof typeof WIRE_CODES])
    const clockOrId = code === 41 || code === 42
    expect(classify(answer(status, code)).retryable).toBe(retryable || clockOrId)
  })

  test.each<[string, Failure, Expected, string]>([
    [
      'no connection',
      { kind: 'transport', transport: 'network', sent: false },
      ['network', 'retry', 'retry', 'retry'],
      'network/offline',
    ],
    [
      'a cut after sending',
      { kind: 'transport', transport: 'timeout', sent: true },
      ['network', 'retry', 'retry', 'retry'],
      'network/timeout',
    ],
    [
      'a captive portal',
      { kind: 'foreign-answer', status: 200 },
      ['network', 'retry-slowly', 'retry-slowly', 'retry-slowly'],
      'network/portal',
    ],
    [
      'an answer to something else',
      { kind: 'wrong-answer', status: 201, stray: 'message.id' },
      ['network', 'retry', 'retry', 'retry'],
      'network/wrong-answer',
    ],
    [
      'a redirect',
      { kind: 'redirect', status: 302 },
      ['network', 'retry-slowly', 'retry-slowly', 'retry-slowly'],
      'network/redirect',
    ],
    [
      'too large an answer',
      { kind: 'transport', transport: 'too-large', sent: true },
      ['invalid', 'park', 'park', 'park'],
      'network/answer-too-large',
    ],
    ['bare 400', answer(400), ['invalid', 'park', 'park', 'park'], 'server/rejected'],
    ['bare 401', answer(401), ['auth', 'hold', 'hold', 'hold'], 'server/refused'],
    ['bare 403', answer(403), ['auth', 'hold', 'hold', 'hold'], 'server/refused'],
    ['bare 404', answer(404), ['gone', 'park', 'park', 'done'], 'server/not-found'],
    ['bare 408', answer(408), ['server', 'retry', 'retry', 'retry'], 'server/request-timeout'],
    ['bare 429', answer(429), ['rate', 'wait', 'wait', 'wait'], 'server/rate-limit'],
    ['bare 500', answer(500), ['server', 'retry', 'retry', 'retry'], 'server/unavailable'],
    ['bare 503', answer(503), ['server', 'retry', 'retry', 'retry'], 'server/unavailable'],
    ['unknown code, 400', answer(400, 73), ['invalid', 'park', 'park', 'park'], 'server/rejected'],
    ['unknown code, 401', answer(401, 777), ['invalid', 'park', 'park', 'park'], 'server/rejected'],
    ['unknown code, 500', answer(500, 5_000), ['server', 'retry', 'retry', 'retry'], 'server/unavailable'],
    ['unknown code, 503', answer(503, -77), ['server', 'retry', 'retry', 'retry'], 'server/unavailable'],
    [
      'unknown code, unrecoverable',
      answer(500, 888, { unrecoverable: true }),
      ['invalid', 'park', 'park', 'park'],
      'server/rejected',
    ],
    [
      'our id exists already',
      answer(400, 4, { message: 'SendMessage failed with error: "message already exists"' }),
      ['exists', 'verify', 'verify', 'verify'],
      'server/already-exists',
    ],
  ])('judges %s', (_name, failure, expected, code) => {
    expect(judged(failure)).toEqual(expected)
    expect(classify(failure).code).toEqual(code)
  })

  test('unrecoverable makes a retryable response final, but never a sign-in', () => {
    expect(classify(answer(500, -1, { unrecoverable: true })).task).toBe('park')
    expect(classify(answer(401, 40, { unrecoverable: true })).class).toBe('token')
    expect(classify(answer(401, 43, { unrecoverable: true })).task).toBe('hold')
  })

  test('an aborted call does not report a broken network', () => {
    expect(classify({ kind: 'transport', transport: 'aborted', sent: true }).class).toBe('aborted')
  })

  test('every code it can produce is listed for the locale files, once', () => {
    const produced = Object.values(WIRE_CODES).map(({ code, status }) => classify(answer(status, code)).code)
    expect(API_ERROR_CODES).toEqual(expect.arrayContaining(produced))
    expect(new Set(API_ERROR_CODES).size).toBe(API_ERROR_CODES.length)
  })
})

test('an ApiError has the code of its text, the server’s message and whether the outcome is unknown', () => {
  const error = new ApiError(answer(403, 17, { message: 'no' }), { operation: 'SendMessage' })
  expect(error.toBody()).toEqual({
    code: 'server/not-allowed',
    params: { operation: 'SendMessage' },
    detail: 'code 17: no',
  })
  expect(error.outcomeUnknown).toBe(false)
  const cut = new ApiError({ kind: 'transport', transport: 'network', sent: true }, { operation: 'SendMessage' })
  expect(cut.outcomeUnknown).toBe(true)
})
