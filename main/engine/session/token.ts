import { AppError, err, ok, type Result } from '#shared/lib/app-error.ts'
import type { Connection } from '#shared/domain/session.ts'
import type { Core } from '../core.ts'
import type { Memory } from '../changes/memory.ts'

/** Claims of a token. Not trusted: only the server can check the signature. */
type TokenClaims = {
  readonly userId?: string
  /** Epoch milliseconds. */
  readonly expiresAt?: number
}

/** Error texts fixed by the contract. See docs/wire.md, appendix C. */
export const TOKEN_EMPTY = 'User token can not be empty'
export const TOKEN_MISMATCH = 'userToken does not have a user_id or is not matching with user.id'

/** Longer than the token of any server. */
const MAX_LENGTH = 4_096
/** Three parts in base64url, and nothing beside them. */
const FORM = /^[\w-]+\.([\w-]+)\.[\w-]*$/

/** Whether a text has the form of a JWT: only such a text is ever sent or stored as a token. */
export const isTokenForm = (text: string): boolean => text.length <= MAX_LENGTH && FORM.test(text)

/** Reads the payload of a JWT without checking it. `undefined` when it is not a JWT. */
export function readToken(token: string): TokenClaims | undefined {
  const payload = isTokenForm(token) ? FORM.exec(token)?.[1] : undefined
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

/** Source of tokens: pasted once, loaded on demand, or none for an anonymous user. */
export type TokenSource =
  | { readonly kind: 'static'; readonly token: string }
  | { readonly kind: 'provider'; readonly load: () => Promise<string> }
  | { readonly kind: 'anonymous' }

export type TokenManager = {
  readonly authType: 'jwt' | 'anonymous'
  /** Whether a new token can be loaded without the user. */
  readonly renewable: boolean
  /** The current token; loads it if there is none yet. Empty for an anonymous user. */
  ready(): Promise<string>
  /**
   * Replaces a token that the server called expired. It is loaded once for all callers that report the same token; late
   * callers get the newer one. Rejects with `session/token-static` or `session/token-provider`.
   */
  renew(spent: string): Promise<string>
  /**
   * Loads a new token after one was rejected without being called expired. The old one stays in use until then: it may have
   * been rejected by mistake. Never rejects.
   */
  replace(doubted: string): Promise<void>
}

/**
 * Holds the current token. See docs/wire.md 1.5 "token provider". `onLoaded` is called after each load with its success.
 */
export function createTokenManager(source: TokenSource, onLoaded: (success: boolean) => void = () => {}): TokenManager {
  let current = source.kind === 'static' ? source.token : source.kind === 'anonymous' ? '' : undefined
  let loading: Promise<string> | undefined

  function load(): Promise<string> {
    if (source.kind !== 'provider') return Promise.reject(new AppError('session/token-static'))
    loading ??= loadFrom(source.load)
      .then(
        (token) => {
          onLoaded(true)
          return (current = token)
        },
        (error: unknown) => {
          onLoaded(false)
          throw error
        },
      )
      .finally(() => (loading = undefined))
    return loading
  }

  return {
    authType: source.kind === 'anonymous' ? 'anonymous' : 'jwt',
    renewable: source.kind === 'provider',
    ready: () => (current === undefined ? load() : Promise.resolve(current)),
    async renew(spent) {
      if (loading) return loading
      if (current !== undefined && current !== spent) return current
      if (source.kind === 'provider') current = undefined
      return load()
    },
    async replace(doubted) {
      if (source.kind !== 'provider' || current !== doubted) return
      await load().then(
        () => undefined,
        () => undefined,
      )
    },
  }
}

async function loadFrom(provider: () => Promise<string>): Promise<string> {
  let token: unknown
  try {
    token = await provider()
  } catch (cause) {
    throw new AppError('session/token-provider', { detail: 'the token provider failed', cause })
  }
  if (typeof token !== 'string' || token === '') {
    throw new AppError('session/token-provider', { detail: 'the token provider gave no token' })
  }
  return token
}

/** Codes of `errors.json` for connection problems that end without the user. */
export const NOT_RENEWED = 'session/not-renewed'
export const CLOCKS_DIFFER = 'session/clocks-differ'

/** The connection as the user sees it, including problems of requests beside it. */
export function shownConnection({ connection, stillLoading, renewalFails }: Memory): Connection {
  const isStuck = renewalFails && connection.state === 'healthy'
  return {
    ...connection,
    ...(stillLoading.length === 0 ? {} : { stillLoading }),
    ...(isStuck ? { trouble: NOT_RENEWED } : {}),
  }
}

/** Notifies once of each problem that lasts; an interruption of a few seconds is not reported. */
export function createTroubleWatch(core: Pick<Core, 'memory' | 'notify'>): { check(): void } {
  let notified: string | undefined
  return {
    check() {
      const { trouble, offline, state } = shownConnection(core.memory)
      if (trouble === undefined) {
        if (state === 'healthy') notified = undefined
        return
      }
      if (notified === trouble || (!offline && state !== 'healthy')) return
      notified = trouble
      core.notify({ code: trouble, type: 'local:session:trouble', severity: 'warning' })
    },
  }
}
