import { AppError } from '#shared/lib/app-error.ts'

/** Where tokens come from: pasted once, made on request, or none for an anonymous person. */
export type TokenSource =
  | { readonly kind: 'static'; readonly token: string }
  | { readonly kind: 'provider'; readonly load: () => Promise<string> }
  | { readonly kind: 'anonymous' }

export type TokenManager = {
  readonly authType: 'jwt' | 'anonymous'
  /** A new token can be had without a person. */
  readonly renewable: boolean
  /** The token to use now; loads it when there is none yet. Empty for an anonymous person. */
  ready(): Promise<string>
  /**
   * Replaces a token that the server called expired. However many callers ask about the same one, it is loaded once:
   * anyone who comes late gets the newer token. Rejects with `session/token-static` or `session/token-provider`.
   */
  renew(spent: string): Promise<string>
  /**
   * Another one in place of a token that was refused without being called expired, where one can be had. The old one stays
   * until then: it may have been refused by mistake. Never rejects.
   */
  replace(doubted: string): Promise<void>
}

/**
 * Keeps the current token. See docs/wire.md 1.5 "token provider". `onAsked` hears after each load whether a token came.
 */
export function createTokenManager(source: TokenSource, onAsked: (came: boolean) => void = () => {}): TokenManager {
  let current = source.kind === 'static' ? source.token : source.kind === 'anonymous' ? '' : undefined
  let loading: Promise<string> | undefined

  function load(): Promise<string> {
    if (source.kind !== 'provider') return Promise.reject(new AppError('session/token-static'))
    loading ??= loadFrom(source.load)
      .then(
        (token) => {
          onAsked(true)
          return (current = token)
        },
        (error: unknown) => {
          onAsked(false)
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
