import { WIRE_CODES, type WireCodeName, type WireErrorBody } from '#shared/wire/errors.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { LogFields, Logger } from '#main/lib/logger.ts'

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

/** A stack line of ours: `at fn (…/main/server/work.ts:57:3)`, or of the bundle. */
const PLACE = /^[ \t]{1,8}at .{0,300}?((?:main|shared|out)\/[\w./-]{1,200}:\d{1,9}):\d{1,9}\)?$/m

/**
 * What an unexpected error may leave in the log: its name, its code and where it came from. Never its message, which
 * may quote what someone wrote (`JSON.parse` does, so does the search index).
 */
export function faultOf(error: unknown): LogFields {
  if (!(error instanceof Error)) return { reason: typeof error }
  const code = 'code' in error ? String(error.code) : undefined
  return { reason: error.name, code, where: PLACE.exec(error.stack ?? '')?.[1] }
}

/** The disk has no room for what was requested. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(SQLITE_FULL|ENOSPC|EDQUOT)$/.test(String(error.code))
}

/** Runs a step whose outcome no caller waits for. An error is logged, and the process keeps running. */
export function guarded(log: Logger, step: string, run: () => void): void {
  try {
    run()
  } catch (error) {
    log.error('step-failed', { step, ...faultOf(error) })
  }
}

/** A clock whose timers never take the process down. */
export function guardedClock(clock: Clock, log: Logger): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms, fn) => clock.after(ms, () => guarded(log, 'timer', fn)),
  }
}
