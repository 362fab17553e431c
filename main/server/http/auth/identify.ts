import { timingSafeEqual, createHmac } from 'node:crypto'
import type { WireCodeName } from '#shared/wire/errors.ts'
import { refuse } from '../refusal.ts'
import { cacheOf, type Db } from '../../store/db.ts'
import { appSettings } from '../../admin/settings.ts'
import { userById, type UserRow } from '../../users/user-tables.ts'
import { optionalTime, SECOND } from '../../store/time.ts'
import { hasDuplicateKeys } from '../json.ts'

/** The caller of a request. */
export type Identity = {
  /** Empty for a server token without a user. */
  readonly userId: string
  readonly role: string
  readonly banned: boolean
  readonly server: boolean
  /** Who uses a server token that names no user, for the history of actions. */
  readonly usedBy?: string
  /** Epoch milliseconds after which the token is no longer valid. */
  readonly expiresAtMs: number | undefined
}

type Credentials = {
  readonly apiKey: string | undefined
  readonly authType: string | undefined
  readonly token: string | undefined
  /** The user the request names as its caller. */
  readonly userId: string | undefined
}

/** What a request is checked against. */
type Verifier = {
  readonly db: Db
  readonly apiKey: string
  readonly secret: string
  readonly nowMs: number
  /** Whether this request is allowed without a token: `ifAllowed` by the app's settings. */
  readonly anonymous?: 'always' | 'ifAllowed' | 'never'
}

/** A caller without a token. It may only use an id that is free or was anonymous before. */
function anonymous(given: Credentials, server: Verifier): Identity {
  const allowed =
    server.anonymous === 'always' ||
    (server.anonymous === 'ifAllowed' && appSettings(server.db).anonymous_access_enabled)
  if (!allowed) return refuse('notAllowed', 'anonymous access is switched off')
  const userId = given.userId ?? ''
  const row = userId === '' ? undefined : userById(server.db, userId)
  if (row && row.role !== 'anonymous') return refuse('authentication', 'user_id does not match the token')
  return { userId, role: 'anonymous', banned: false, server: false, expiresAtMs: undefined }
}

/** The checks of docs/wire.md 1.8, steps 2 to 7, in that order. */
export function identify(given: Credentials, server: Verifier): Identity {
  if (given.apiKey === undefined || !sameText(given.apiKey, server.apiKey)) {
    return refuse('accessKey', given.apiKey === undefined ? 'api_key is missing' : 'api_key is not valid')
  }
  if (given.authType !== undefined && given.authType !== 'jwt' && given.authType !== 'anonymous') {
    return refuse('authentication', 'stream-auth-type must be jwt or anonymous')
  }
  if (given.authType === 'anonymous') return anonymous(given, server)
  const token = given.token?.replace(/^Bearer /, '')
  if (token === undefined || token === '' || token === 'undefined') {
    return refuse('authentication', 'the token is missing')
  }
  const result = verifyToken(token, server.secret, server.nowMs)
  if (!result.ok) return refuse(result.code, result.reason)
  return identityOf(result.claims, given.userId, server.db)
}

function identityOf(claims: Claims, named: string | undefined, db: Db): Identity {
  const userId = claims.userId ?? named ?? ''
  if (claims.userId !== undefined && named !== undefined && named !== claims.userId) {
    return refuse('authentication', 'user_id does not match the token')
  }
  const expiresAtMs = claims.expiresAt === undefined ? undefined : claims.expiresAt * 1_000
  const row = userId === '' ? undefined : standingOf(db, userId)
  const isServer = claims.server
  if (!isServer && (claims.issuedAt ?? 0) * SECOND < revokedBefore(db, row)) {
    return refuse('tokenExpired', 'the token was revoked')
  }
  const usedBy = claims.usedBy
  if (!row) return { userId, role: 'user', banned: false, server: isServer, usedBy, expiresAtMs }
  if ((row.deactivated_at !== null || row.deleted_at !== null) && !isServer) {
    return refuse('authentication', 'the user is deactivated')
  }
  return { userId, role: row.role, banned: row.banned === 1, server: isServer, expiresAtMs }
}

/** What every request asks of its caller's row. */
type Standing = Pick<UserRow, 'role' | 'banned' | 'deactivated_at' | 'deleted_at' | 'tokens_revoked_before'>

const standings = cacheOf<Standing>(['users'])

function standingOf(db: Db, userId: string): Standing | undefined {
  const known = standings(db)
  const found =
    known.get(userId) ??
    db.get<Standing>(
      'SELECT role, banned, deactivated_at, deleted_at, tokens_revoked_before FROM users WHERE id = ?',
      userId,
    )
  if (found) known.set(userId, found)
  return found
}

/** Tokens of this user that were issued before this time are revoked. */
export const revokedBefore = (db: Db, row: Pick<UserRow, 'tokens_revoked_before'> | undefined): number =>
  Math.max(row?.tokens_revoked_before ?? 0, revokedForAll(db))

/** All user tokens issued before this time are revoked. See docs/wire.md 5.22. */
const revokedForAll = (db: Db): number => optionalTime(appSettings(db).revoke_tokens_issued_before) ?? 0

/** In constant time for texts of one length. */
export const sameText = (a: string, b: string): boolean => sameBytes(Buffer.from(a), Buffer.from(b))

/** The content of a token once every check passed. */
type Claims = {
  readonly userId: string | undefined
  readonly server: boolean
  /** Who uses a server token. It gives nobody any rights. */
  readonly usedBy?: string
  /** Seconds. */
  readonly issuedAt: number | undefined
  readonly expiresAt: number | undefined
}

type TokenResult = { readonly ok: true; readonly claims: Claims } | Rejected
type Rejected = { readonly ok: false; readonly code: WireCodeName; readonly reason: string }

const MAX_TOKEN = 4 * 1024
const MAX_HEADER = 1024
const BASE64URL = /^[A-Za-z0-9_-]+$/
/** Seconds a clock may differ for `nbf` and `iat`; none for `exp`. */
const LEEWAY_S = 10

/**
 * Checks a token: form, algorithm, signature, and only then its claims and times, in this order. HS256 and nothing
 * else.
 *
 * @param nowMs epoch milliseconds
 */
export function verifyToken(token: string, secret: string, nowMs: number): TokenResult {
  const known = verified.get(keyOf(token, secret))
  if (known) return checkClaims(known, nowMs / 1_000)
  const parts = splitToken(token)
  if (!parts) return bad('the token is malformed')
  const header = parseStrict(parts.header)
  if (!header) return bad('the token is malformed')
  if (header['alg'] !== 'HS256') return bad('the token algorithm is not allowed')
  if ('crit' in header) return bad('the token asks for extensions')
  if (!sameBytes(sign(`${parts.header}.${parts.payload}`, secret), Buffer.from(parts.signature, 'base64url'))) {
    return bad('the token signature is invalid')
  }
  const payload = parseStrict(parts.payload)
  if (!payload) return bad('the token is malformed')
  remember(keyOf(token, secret), payload)
  return checkClaims(payload, nowMs / 1_000)
}

/** Payloads of tokens whose form and signature were verified: their times are checked with every request. */
const verified = new Map<string, Record<string, unknown>>()
const MAX_VERIFIED = 1_000

const keyOf = (token: string, secret: string): string => `${secret} ${token}`

function remember(key: string, payload: Record<string, unknown>): void {
  if (verified.size >= MAX_VERIFIED) verified.delete(verified.keys().next().value ?? '')
  verified.set(key, payload)
}

/** Creates a user token (`userId`) or a server token (no `userId`) of this server. */
export function createToken(
  claims: { userId?: string; usedBy?: string; expiresAtMs?: number; issuedAtMs?: number },
  secret: string,
): string {
  const payload = {
    ...(claims.userId === undefined ? { server: true } : { user_id: claims.userId }),
    ...(claims.usedBy === undefined ? {} : { used_by: claims.usedBy }),
    ...(claims.issuedAtMs === undefined ? {} : { iat: Math.floor(claims.issuedAtMs / 1_000) }),
    ...(claims.expiresAtMs === undefined ? {} : { exp: Math.floor(claims.expiresAtMs / 1_000) }),
  }
  const body = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`
  return `${body}.${sign(body, secret).toString('base64url')}`
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function sign(text: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(text).digest()
}

function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Three canonical base64url parts: no padding, no white space, no stray trailing bits. */
function splitToken(token: string): { header: string; payload: string; signature: string } | undefined {
  if (token.length > MAX_TOKEN) return undefined
  const parts = token.split('.')
  const [header, payload, signature] = parts
  if (parts.length !== 3 || !header || !payload || !signature || header.length > MAX_HEADER) return undefined
  const canonical = (part: string) =>
    BASE64URL.test(part) && Buffer.from(part, 'base64url').toString('base64url') === part
  return [header, payload, signature].every(canonical) ? { header, payload, signature } : undefined
}

/** A JSON object without duplicate keys, in valid UTF-8. */
function parseStrict(part: string): Record<string, unknown> | undefined {
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url'))
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return hasDuplicateKeys(text) ? undefined : (value as Record<string, unknown>)
}

function checkClaims(payload: Record<string, unknown>, now: number): TokenResult {
  for (const name of ['exp', 'nbf', 'iat']) {
    const value = payload[name]
    if (value !== undefined && !(typeof value === 'number' && Number.isFinite(value))) {
      return bad(`the token's ${name} is not a number`)
    }
  }
  const { exp, nbf, iat } = payload as { exp?: number; nbf?: number; iat?: number }
  if (exp !== undefined && exp <= now) return { ok: false, code: 'tokenExpired', reason: 'the token has expired' }
  if (nbf !== undefined && nbf > now + LEEWAY_S) {
    return { ok: false, code: 'tokenNotValidYet', reason: 'the token is not valid yet' }
  }
  if (iat !== undefined && iat > now + LEEWAY_S) {
    return { ok: false, code: 'tokenBeforeIssued', reason: 'the token is used before it was issued' }
  }
  return claimsOf(payload, iat, exp)
}

function claimsOf(payload: Record<string, unknown>, iat: number | undefined, exp: number | undefined): TokenResult {
  const server = payload['server'] === true || payload['server'] === 'true'
  const userId = payload['user_id'] ?? ''
  if (userId === '' && server) {
    const usedBy = typeof payload['used_by'] === 'string' ? payload['used_by'].slice(0, 255) : undefined
    return { ok: true, claims: { userId: undefined, server, usedBy, issuedAt: iat, expiresAt: exp } }
  }
  if (typeof userId !== 'string' || userId === '') {
    return { ok: false, code: 'authentication', reason: 'the token names no user and is not a server token' }
  }
  return { ok: true, claims: { userId, server, issuedAt: iat, expiresAt: exp } }
}

function bad(reason: string): Rejected {
  return { ok: false, code: 'tokenSignature', reason }
}
