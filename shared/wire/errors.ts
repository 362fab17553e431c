/** Numeric error codes of the server, their names and whether a retry can help. */
export const WIRE_CODES = {
  internal: { code: -1, status: 500, retryable: true },
  accessKey: { code: 2, status: 401, retryable: false },
  authenticationFailed: { code: 3, status: 401, retryable: true },
  input: { code: 4, status: 400, retryable: false },
  authentication: { code: 5, status: 401, retryable: false },
  duplicateUsername: { code: 6, status: 400, retryable: false },
  rateLimit: { code: 9, status: 429, retryable: true },
  doesNotExist: { code: 16, status: 404, retryable: false },
  notAllowed: { code: 17, status: 403, retryable: false },
  eventNotSupported: { code: 18, status: 400, retryable: false },
  featureNotSupported: { code: 19, status: 400, retryable: false },
  messageTooLong: { code: 20, status: 400, retryable: false },
  multipleNesting: { code: 21, status: 400, retryable: false },
  payloadTooBig: { code: 22, status: 413, retryable: false },
  requestTimeout: { code: 23, status: 408, retryable: true },
  headerTooBig: { code: 24, status: 431, retryable: false },
  tokenExpired: { code: 40, status: 401, retryable: false },
  tokenNotValidYet: { code: 41, status: 401, retryable: false },
  tokenBeforeIssued: { code: 42, status: 401, retryable: false },
  tokenSignature: { code: 43, status: 401, retryable: false },
  customCommandMissing: { code: 44, status: 400, retryable: false },
  customCommandFailed: { code: 45, status: 400, retryable: true },
  connectionIdNotFound: { code: 46, status: 400, retryable: false },
  cooldown: { code: 60, status: 403, retryable: true },
  wrongRegion: { code: 69, status: 400, retryable: false },
  queryChannelPermissions: { code: 70, status: 403, retryable: false },
  tooManyConnections: { code: 71, status: 429, retryable: true },
  appSuspended: { code: 99, status: 403, retryable: false },
} as const

export type WireCodeName = keyof typeof WIRE_CODES

/** Body of every error response. See docs/wire.md 1.6. */
export type WireErrorBody = {
  code: number
  message: string
  StatusCode: number
  duration: string
  more_info: string
  details: readonly unknown[]
  exception_fields?: Readonly<Record<string, string>>
  unrecoverable?: boolean
}
