import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#main/lib/clock.ts'
import type { StoredPageSession } from './stored-pages.ts'

/** Random bytes; tests pass a counter. */
export type RandomBytes = (size: number) => Buffer

type CodeOptions = {
  /** The user the window will be signed in as; absent means the profile's own account. */
  readonly asUserId?: string
  /** A reusable code stays valid while the process runs, for addresses that are printed. See docs/adr. */
  readonly reusable: boolean
}

/**
 * A page that presented a valid code. Only a hash of its token is stored; the token is known to that page's tab alone.
 */
export type PageSession = { readonly id: string; readonly asUserId?: string }

export type Admission =
  /** `word`: our proof to this page before it sends its token again. */
  | { readonly ok: true; readonly session: PageSession; readonly token: string; readonly word: string }
  | { readonly ok: false; readonly reason: 'code' | 'session' | 'locked'; readonly retryInMs?: number }

const CODE_BYTES = 16
const TOKEN_BYTES = 32
const ID_BYTES = 9
/** A code passed by file is valid for this long, once. */
export const CODE_LIFETIME_MS = 60_000
const FAILURES_BEFORE_LOCK = 5
export const LOCK_MS = 60_000
/** Older sessions are not resumed after a restart. */
export const SESSION_LIFETIME_MS = 12 * 3_600_000
/** Sessions stored at most; the oldest is dropped. One user needs a handful. */
const MAX_SESSIONS = 200

type StoredCode = { readonly hash: Buffer; readonly until: number | undefined; readonly asUserId?: string }
type StoredSession = PageSession & { readonly hash: Buffer; readonly word: string; readonly until: number }

/**
 * Access to main: start codes, the session tokens they are exchanged for, and the lock after five wrong tries.
 * Only hashes are stored, and every comparison checks every candidate in constant time.
 */
export class Access {
  readonly #clock: Clock
  readonly #random: RandomBytes
  #codes: StoredCode[] = []
  #sessions: StoredSession[]
  readonly #store: (sessions: readonly StoredPageSession[]) => void
  #failures = 0
  #lockedUntil = 0

  /** `stored`: the sessions of an earlier run at the same address. `store` is called with every change of them. */
  constructor(
    clock: Clock,
    random: RandomBytes,
    stored: readonly StoredPageSession[] = [],
    store: (sessions: readonly StoredPageSession[]) => void = () => undefined,
  ) {
    this.#clock = clock
    this.#random = random
    this.#store = store
    this.#sessions = stored
      .filter(({ until }) => until > clock.now())
      .map(({ id, hash, word, until, asUserId }) => {
        return { id, hash: Buffer.from(hash, 'base64'), word, until, ...signedInAs(asUserId) }
      })
  }

  /** A new start code. Pass it by file, or print it when it is a reusable one. */
  issueCode(options: CodeOptions): string {
    const code = this.#random(CODE_BYTES).toString('base64url')
    const until = options.reusable ? undefined : this.#clock.monotonic() + CODE_LIFETIME_MS
    this.#codes = this.#codes.filter((stored) => !this.#isExpired(stored))
    this.#codes.push({ hash: hashOf(code), until, ...signedInAs(options.asUserId) })
    return code
  }

  /** Exchanges a code for a new session. */
  enterWithCode(code: string): Admission {
    const locked = this.#lock()
    if (locked) return locked
    const found = matching(this.#codes, code)
    if (!found || this.#isExpired(found)) return this.#fail('code')
    if (found.until !== undefined) this.#codes = this.#codes.filter((stored) => stored !== found)
    this.#failures = 0
    return this.#newSession(found.asUserId)
  }

  /** Resumes a session. A valid token is accepted even while the lock is on: it cannot be guessed. */
  enterWithSession(token: string): Admission {
    const found = matching(this.#sessions, token)
    if (found) return this.#admit(found, token)
    return this.#lock() ?? this.#fail('session')
  }

  /**
   * The proof that a returning page requires before it sends its token: another program on the port does not know it.
   */
  proofFor(sessionId: string): string | undefined {
    return this.#sessions.find(({ id }) => id === sessionId)?.word
  }

  hasSession(id: string): boolean {
    return this.#sessions.some((session) => session.id === id)
  }

  #newSession(asUserId: string | undefined): Admission {
    const token = this.#random(TOKEN_BYTES).toString('base64url')
    const id = this.#random(ID_BYTES).toString('base64url')
    return this.#admit({ id, hash: hashOf(token), ...signedInAs(asUserId) }, token)
  }

  /** The word of a session never changes: the page could not return if a crash lost a new one. */
  #admit({ id, hash, asUserId }: Pick<StoredSession, 'id' | 'hash' | 'asUserId'>, token: string): Admission {
    const session = { id, ...signedInAs(asUserId) }
    const word = this.proofFor(id) ?? this.#random(TOKEN_BYTES).toString('base64url')
    const until = this.#clock.now() + SESSION_LIFETIME_MS
    const others = this.#sessions.filter((each) => each.id !== id)
    this.#sessions = [...others, { ...session, hash, word, until }].slice(-MAX_SESSIONS)
    this.#store(this.#sessions.map((each) => ({ ...each, hash: each.hash.toString('base64') })))
    return { ok: true, session, token, word }
  }

  #fail(reason: 'code' | 'session'): Admission {
    this.#failures += 1
    if (this.#failures >= FAILURES_BEFORE_LOCK) {
      this.#failures = 0
      this.#lockedUntil = this.#clock.monotonic() + LOCK_MS
    }
    return { ok: false, reason }
  }

  #lock(): Admission | undefined {
    const left = this.#lockedUntil - this.#clock.monotonic()
    return left > 0 ? { ok: false, reason: 'locked', retryInMs: Math.ceil(left) } : undefined
  }

  #isExpired(code: StoredCode): boolean {
    return code.until !== undefined && this.#clock.monotonic() >= code.until
  }
}

const signedInAs = (asUserId: string | undefined): { asUserId?: string } => (asUserId === undefined ? {} : { asUserId })

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

function matching<T extends { readonly hash: Buffer }>(all: readonly T[], text: string): T | undefined {
  const hash = hashOf(text)
  let found: T | undefined
  for (const candidate of all) if (timingSafeEqual(candidate.hash, hash)) found = candidate
  return found
}
