import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#main/lib/clock.ts'
import type { KeptSession } from './kept-pages.ts'

/** Source of unguessable bytes; tests give a counting one. */
export type RandomBytes = (size: number) => Buffer

type CodeOptions = {
  /** The person the window will be signed in as; absent means the profile's own account. */
  readonly asUserId?: string
  /** A standing code stays valid and reusable while the process runs: someone asked to be told the address. See docs/adr. */
  readonly standing: boolean
}

/** A page that showed a good code. Only a hash of its token is kept; the token is known to that page's tab alone. */
export type PageSession = { readonly id: string; readonly asUserId?: string }

export type Admission =
  /** `word`: what this page asks us for before it shows its token again. */
  | { readonly ok: true; readonly session: PageSession; readonly token: string; readonly word: string }
  | { readonly ok: false; readonly reason: 'code' | 'session' | 'locked'; readonly retryInMs?: number }

const CODE_BYTES = 16
const TOKEN_BYTES = 32
const ID_BYTES = 9
/** A code that travels by file is good for this long, once. */
export const CODE_LIFETIME_MS = 60_000
const FAILURES_BEFORE_LOCK = 5
export const LOCK_MS = 60_000
/** A page that was let in so long ago has to be opened again after a restart. */
export const SESSION_KEPT_MS = 12 * 3_600_000
/** Sessions kept at most; the oldest gives way. One person needs a handful. */
const MAX_SESSIONS = 200

type StoredCode = { readonly hash: Buffer; readonly until: number | undefined; readonly asUserId?: string }
type StoredSession = PageSession & { readonly hash: Buffer; readonly word: string; readonly until: number }

/**
 * Who may talk to main: start codes, the session tokens they are exchanged for, and the lock after five wrong tries.
 * Only hashes are kept, and every comparison looks at every candidate in constant time.
 */
export class Access {
  readonly #clock: Clock
  readonly #random: RandomBytes
  #codes: StoredCode[] = []
  #sessions: StoredSession[]
  readonly #keep: (sessions: readonly KeptSession[]) => void
  #failures = 0
  #lockedUntil = 0

  /** `kept`: the sessions of an earlier run at the same address. `keep` hears of every change of them. */
  constructor(
    clock: Clock,
    random: RandomBytes,
    kept: readonly KeptSession[] = [],
    keep: (sessions: readonly KeptSession[]) => void = () => undefined,
  ) {
    this.#clock = clock
    this.#random = random
    this.#keep = keep
    this.#sessions = kept
      .filter(({ until }) => until > clock.now())
      .map(({ id, hash, word, until, asUserId }) => {
        return { id, hash: Buffer.from(hash, 'base64'), word, until, ...person(asUserId) }
      })
  }

  /** A new start code. Hand it over by file, or print it when it is a standing one. */
  issueCode(options: CodeOptions): string {
    const code = this.#random(CODE_BYTES).toString('base64url')
    const until = options.standing ? undefined : this.#clock.monotonic() + CODE_LIFETIME_MS
    this.#codes = this.#codes.filter((stored) => !this.#isOver(stored))
    this.#codes.push({ hash: hashOf(code), until, ...person(options.asUserId) })
    return code
  }

  /** Exchanges a code for a new session. */
  enterWithCode(code: string): Admission {
    const locked = this.#lock()
    if (locked) return locked
    const found = matching(this.#codes, code)
    if (!found || this.#isOver(found)) return this.#fail('code')
    if (found.until !== undefined) this.#codes = this.#codes.filter((stored) => stored !== found)
    this.#failures = 0
    return this.#newSession(found.asUserId)
  }

  /** Lets a page back in. A good token is let in even while the lock is on: it cannot be guessed. */
  enterWithSession(token: string): Admission {
    const found = matching(this.#sessions, token)
    if (found) return this.#admit(found, token)
    return this.#lock() ?? this.#fail('session')
  }

  /** What a page that was here before wants to hear before it shows its token: anyone who else listens does not know it. */
  wordFor(sessionId: string): string | undefined {
    return this.#sessions.find(({ id }) => id === sessionId)?.word
  }

  hasSession(id: string): boolean {
    return this.#sessions.some((session) => session.id === id)
  }

  #newSession(asUserId: string | undefined): Admission {
    const token = this.#random(TOKEN_BYTES).toString('base64url')
    const id = this.#random(ID_BYTES).toString('base64url')
    return this.#admit({ id, hash: hashOf(token), ...person(asUserId) }, token)
  }

  /** The word stays with the session: a new one that a sudden end kept from the disk would shut the page out. */
  #admit({ id, hash, asUserId }: Pick<StoredSession, 'id' | 'hash' | 'asUserId'>, token: string): Admission {
    const session = { id, ...person(asUserId) }
    const word = this.wordFor(id) ?? this.#random(TOKEN_BYTES).toString('base64url')
    const until = this.#clock.now() + SESSION_KEPT_MS
    const others = this.#sessions.filter((each) => each.id !== id)
    this.#sessions = [...others, { ...session, hash, word, until }].slice(-MAX_SESSIONS)
    this.#keep(this.#sessions.map((each) => ({ ...each, hash: each.hash.toString('base64') })))
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

  #isOver(code: StoredCode): boolean {
    return code.until !== undefined && this.#clock.monotonic() >= code.until
  }
}

const person = (asUserId: string | undefined): { asUserId?: string } => (asUserId === undefined ? {} : { asUserId })

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

function matching<T extends { readonly hash: Buffer }>(all: readonly T[], text: string): T | undefined {
  const hash = hashOf(text)
  let found: T | undefined
  for (const candidate of all) if (timingSafeEqual(candidate.hash, hash)) found = candidate
  return found
}
