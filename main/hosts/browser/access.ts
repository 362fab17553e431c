import { createHash, timingSafeEqual, createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { isMediaRef, isMediaVariant, type MediaRef } from '#shared/bridge/media-url.ts'
import type { Clock } from '#main/lib/clock.ts'
import { replaceFile } from '../node/secrets-file.ts'

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

/** What a link gives access to: one entity, for one window of one session, for five minutes. */
type MediaGrant = MediaRef & { readonly sessionId: string; readonly windowId: string }

export const MEDIA_LINK_LIFETIME_MS = 5 * 60_000
export const MEDIA_PATH = '/media/'

/**
 * Capability URLs: anyone who has one may read that one file for five minutes. The key lasts as long as the process.
 */
export class MediaLinks {
  readonly #clock: Clock
  readonly #key: Buffer

  constructor(clock: Clock, random: RandomBytes) {
    this.#clock = clock
    this.#key = random(32)
  }

  /** A path on our own origin. */
  issue(grant: MediaGrant): string {
    const until = Math.ceil(this.#clock.now() + MEDIA_LINK_LIFETIME_MS)
    const text = JSON.stringify([grant.sessionId, grant.windowId, grant.ref, grant.variant, until])
    const payload = Buffer.from(text).toString('base64url')
    return `${MEDIA_PATH}${payload}.${this.#sign(payload).toString('base64url')}`
  }

  /** The grant of a path that {@link issue} wrote and that is not too old. */
  read(path: string): MediaGrant | undefined {
    const match = /^\/media\/([\w-]+)\.([\w-]+)$/.exec(path)
    if (!match?.[1] || !match[2]) return undefined
    const given = Buffer.from(match[2], 'base64url')
    const expected = this.#sign(match[1])
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    const parts = JSON.parse(Buffer.from(match[1], 'base64url').toString('utf8')) as unknown[]
    const [sessionId, windowId, ref, variant, until] = parts
    if (typeof until !== 'number' || this.#clock.now() >= until) return undefined
    if (typeof sessionId !== 'string' || typeof windowId !== 'string') return undefined
    return isMediaRef(ref) && isMediaVariant(variant) ? { sessionId, windowId, ref, variant } : undefined
  }

  #sign(payload: string): Buffer {
    return createHmac('sha256', this.#key).update(payload).digest()
  }
}

/** A stored session, so that its window reconnects after a restart. The token itself is only in its tab. */
const pageSession = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  hash: v.pipe(v.string(), v.base64(), v.maxLength(64)),
  word: v.pipe(v.string(), v.minLength(16), v.maxLength(64)),
  /** Epoch milliseconds when the session expires. */
  until: v.number(),
  asUserId: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
})
export type StoredPageSession = v.InferOutput<typeof pageSession>

const storedPages = v.object({
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  sessions: v.pipe(v.array(pageSession), v.maxLength(1_000)),
})
type StoredPages = v.InferOutput<typeof storedPages>

/** `pages.json` of the profile, mode 0600: the port of the last run, and the pages that were open in it. */
export class PagesFile {
  readonly #path: string
  #last: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  /** A damaged file or one of another version counts as empty. */
  async read(): Promise<StoredPages | undefined> {
    try {
      const found = v.safeParse(storedPages, JSON.parse(await readFile(this.#path, 'utf8')))
      return found.success ? found.output : undefined
    } catch {
      return undefined
    }
  }

  /** Writes run one after the other; the file is replaced, never half written. */
  write(pages: StoredPages): Promise<void> {
    const next = this.#last.then(() => replaceFile(this.#path, JSON.stringify(pages)))
    this.#last = next.catch(() => undefined)
    return next
  }

  /** Resolves when every write has finished. */
  async settled(): Promise<void> {
    await this.#last
  }
}
