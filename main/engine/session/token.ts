import { AppError } from '#shared/lib/app-error.ts'
import { err, ok, type Result } from '#shared/lib/result.ts'

/** Claims of a token. Not trusted: only the server can check the signature. */
type TokenClaims = {
  readonly userId?: string
  /** Epoch milliseconds. */
  readonly expiresAt?: number
}

/** Error texts fixed by the contract. See docs/wire.md, appendix C. */
export const TOKEN_EMPTY = 'User token can not be empty'
export const TOKEN_MISMATCH = 'userToken does not have a user_id or is not matching with user.id'

/** Reads the payload of a JWT without checking it. `undefined` when it is not a JWT. */
export function readToken(token: string): TokenClaims | undefined {
  const payload = token.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    if (typeof claims !== 'object' || claims === null) return undefined
    const { user_id: userId, exp } = claims as { user_id?: unknown; exp?: unknown }
    return {
      ...(typeof userId === 'string' && userId !== '' ? { userId } : {}),
      expiresAt: typeof exp === 'number' && Number.isFinite(exp) ? exp * 1_000 : undefined,
    }
  } catch {
    // Not base64, or not JSON: the caller reports the error.
    return undefined
  }
}

/** Checks a pasted token before any request. */
export function checkToken(token: unknown, userId: string): Result<string, AppError> {
  if (typeof token !== 'string' || token.trim() === '') {
    return err(new AppError('session/token-empty', { detail: TOKEN_EMPTY }))
  }
  const value = token.trim()
  if (readToken(value)?.userId !== userId)
    return err(new AppError('session/token-mismatch', { detail: TOKEN_MISMATCH }))
  return ok(value)
}

/** The user of a pasted token. A server token has none and is rejected: it must never be used for a user. */
export function userOfToken(token: unknown): Result<string, AppError> {
  if (typeof token !== 'string' || token.trim() === '') {
    return err(new AppError('session/token-empty', { detail: TOKEN_EMPTY }))
  }
  const userId = readToken(token.trim())?.userId
  return userId === undefined ? err(new AppError('session/token-mismatch', { detail: TOKEN_MISMATCH })) : ok(userId)
}
