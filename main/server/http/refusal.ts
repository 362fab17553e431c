import { WIRE_CODES, type WireCodeName, type WireErrorBody } from '#shared/wire/errors.ts'

/** A request the server will not carry out. The reason is sent to the client: no stack, no SQL, no path. */
export class Refusal extends Error {
  readonly codeName: WireCodeName
  readonly fields: Readonly<Record<string, string>> | undefined
  /**
   * Another status than the default of the code, where HTTP has a more exact one (403 for an origin, 421 for a host).
   */
  readonly status: number

  constructor(
    codeName: WireCodeName,
    reason: string,
    options: { fields?: Record<string, string>; status?: number } = {},
  ) {
    super(reason)
    this.name = 'Refusal'
    this.codeName = codeName
    this.fields = options.fields
    this.status = options.status ?? WIRE_CODES[codeName].status
  }
}

export function refuse(codeName: WireCodeName, reason: string, fields?: Record<string, string>): never {
  throw new Refusal(codeName, reason, fields ? { fields } : {})
}

/** See docs/wire.md 1.6. */
export function errorBody(refusal: Refusal, operation: string, duration: string): WireErrorBody {
  return {
    code: WIRE_CODES[refusal.codeName].code,
    message: `${operation} failed with error: "${refusal.message}"`,
    StatusCode: refusal.status,
    duration,
    more_info: '',
    details: [],
    exception_fields: refusal.fields,
  }
}

/** Go-style: `3.22ms`, `1.20s`. */
export function durationText(ms: number): string {
  return ms < 1_000 ? `${ms.toFixed(2)}ms` : `${(ms / 1_000).toFixed(2)}s`
}
