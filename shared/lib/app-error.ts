/**
 * What crosses a boundary when something fails: a stable code that names a text in the locale files, never a stack or a
 * path. `detail` is the developer text of the contract or the server's own message, shown under "Copy details".
 */
export type ErrorBody = {
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
  readonly detail?: string
}

/** A failure that can be shown to the user. Everything thrown on purpose is one of these. */
export class AppError extends Error {
  readonly code: string
  readonly params: Readonly<Record<string, string | number>>

  constructor(
    code: string,
    options: { params?: Record<string, string | number>; detail?: string; cause?: unknown } = {},
  ) {
    super(options.detail ?? code, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.params = options.params ?? {}
  }

  toBody(): ErrorBody {
    return { code: this.code, params: this.params, detail: this.message === this.code ? undefined : this.message }
  }
}

/** Throws if an invariant does not hold; the operation fails. */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`Impossible: ${why}`)
}

/** An expected outcome that the caller must check. Used where a failure is local and ordinary. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value })
export const err = <E>(error: E): Result<never, E> => ({ ok: false, error })

/** One problem of an input. `code` names a text in the locale files; `params` fill its placeholders. */
export type Issue = {
  readonly code: string
  readonly path?: readonly (string | number)[]
  readonly params?: Readonly<Record<string, string | number>>
}

/** Converts anything thrown to an error that can be shown to the user. */
export function errorBodyOf(error: unknown): ErrorBody {
  if (error instanceof AppError) return error.toBody()
  return { code: 'internal', detail: error instanceof Error ? error.message : String(error) }
}
