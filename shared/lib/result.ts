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
