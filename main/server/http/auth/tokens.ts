import { createHmac, timingSafeEqual } from 'node:crypto'
import type { WireCodeName } from '#shared/wire/errors.ts'
import { hasDuplicateKeys } from '../json.ts'

/** The content of a token once every check passed. */
export type Claims = {
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
