import { createHmac } from 'node:crypto'
import { Api } from '#main/engine/api/client.ts'
import type { Ports } from '#main/engine/ports.ts'
import { createServerClock } from '#main/engine/session/server-clock.ts'
import { createTokenManager } from '#main/engine/session/token.ts'
import packageJson from '../../../package.json' with { type: 'json' }

/** How Parlor introduces itself to a server: `X-Stream-Client`. See docs/wire.md 1.3. */
export const CLIENT_NAME = `parlor-v${packageJson.version}-desktop`

/** A server, and the secret that signs its tokens. */
type SecretOf = {
  readonly baseUrl: string | (() => string)
  readonly apiKey: string
  readonly secret: string
  /** Who uses the token: our local server notes it in its history of actions. */
  readonly usedBy?: string
}

/** Requests with a server token. The token and the secret stay in main. */
export const createServerApi = ({ usedBy, ...server }: SecretOf, ports: Ports): Api =>
  apiAs({ server: true, usedBy }, server, ports)

/** Requests as one user of a server whose secret is known. */
export const createUserApi = (userId: string, server: Omit<SecretOf, 'usedBy'>, ports: Ports): Api =>
  apiAs({ userId }, server, ports)

const apiAs = (owner: TokenOwner, { baseUrl, apiKey, secret }: Omit<SecretOf, 'usedBy'>, ports: Ports): Api =>
  new Api({
    baseUrl,
    apiKey,
    clientName: CLIENT_NAME,
    tokens: createTokenManager({ kind: 'static', token: mintToken(secret, owner, ports.clock.now()) }),
    serverClock: createServerClock(ports.clock),
    ports,
  })

/** Owner of a token: a user, or the server token, which has all rights and never leaves main. */
type TokenOwner =
  | { readonly userId: string; readonly lifeMs?: number }
  | { readonly server: true; readonly usedBy?: string }

/**
 * Life of the tokens that Parlor makes for itself. When one expires the token manager requests another without the user
 * noticing.
 */
const TOKEN_LIFE_MS = 24 * 3_600_000

/**
 * Signs a token with HS256, see docs/wire.md 1.5.
 *
 * @param now epoch milliseconds
 */
export function mintToken(secret: string, owner: TokenOwner, now: number): string {
  const issuedAt = Math.floor(now / 1_000)
  const claims = 'userId' in owner ? claimsOf(owner, issuedAt) : { server: true, used_by: owner.usedBy, iat: issuedAt }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

const claimsOf = ({ userId, lifeMs = TOKEN_LIFE_MS }: { userId: string; lifeMs?: number }, issuedAt: number) => ({
  user_id: userId,
  iat: issuedAt,
  exp: issuedAt + Math.floor(lifeMs / 1_000),
})

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
