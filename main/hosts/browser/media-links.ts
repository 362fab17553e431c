import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#main/lib/clock.ts'
import { isMediaRef, isMediaVariant, type MediaRef } from '#shared/bridge/media-url.ts'
import type { RandomBytes } from './access.ts'

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
