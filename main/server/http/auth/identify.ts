import { createHash, timingSafeEqual } from 'node:crypto'
import { refuse } from '../refusal.ts'
import type { Db } from '../../store/db.ts'
import { appSettings } from '../../admin/settings.ts'
import { userById } from '../../users/user-table.ts'
import { optionalTime, SECOND } from '../../time.ts'
import { verifyToken, type Claims } from './tokens.ts'

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
  const row = userId === '' ? undefined : userById(db, userId)
  const isServer = claims.server
  const revoked = Math.max(row?.tokens_revoked_before ?? 0, revokedForAll(db))
  if (!isServer && (claims.issuedAt ?? 0) * SECOND < revoked) {
    return refuse('tokenExpired', 'the token was revoked')
  }
  const usedBy = claims.usedBy
  if (!row) return { userId, role: 'user', banned: false, server: isServer, usedBy, expiresAtMs }
  if ((row.deactivated_at !== null || row.deleted_at !== null) && !isServer) {
    return refuse('authentication', 'the user is deactivated')
  }
  return { userId, role: row.role, banned: row.banned === 1, server: isServer, expiresAtMs }
}

/** All user tokens issued before this time are revoked. See docs/wire.md 5.22. */
const revokedForAll = (db: Db): number => optionalTime(appSettings(db).revoke_tokens_issued_before) ?? 0

/** Constant time for equal lengths of any text: both are hashed first. */
export function sameText(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}
