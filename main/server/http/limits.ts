import { groupsOf } from '#shared/rules/server/network-address.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Identity } from './auth/identify.ts'

/** A group of calls that share a bucket. */
export type CallClass =
  | 'send'
  | 'reaction'
  | 'query'
  | 'event'
  | 'poll'
  | 'upload'
  | 'og'
  | 'connect'
  /** Strangers who join by invitation, and ask whether they were accepted. */
  | 'join'
  | 'other'
  /** Refused sign-ins of one address; the last one blocks the address for a minute. */
  | 'failedAuth'
  /** All requests of one address, before the caller is identified. */
  | 'address'

/** Calls per minute. */
export type CallLimits = Readonly<Record<CallClass, number>>

/** For a server that strangers reach. */
export const STRICT_LIMITS: CallLimits = {
  send: 60,
  reaction: 120,
  query: 120,
  event: 300,
  poll: 300,
  upload: 30,
  og: 10,
  connect: 10,
  join: 120,
  other: 120,
  failedAuth: 10,
  address: 3_000,
}

/**
 * For the user's own machine: high enough to stop only a runaway client. Limits that protect disk and network stay
 * strict.
 */
export const LOCAL_LIMITS: CallLimits = {
  send: 6_000,
  reaction: 12_000,
  query: 12_000,
  event: 30_000,
  poll: 30_000,
  upload: 30,
  og: 10,
  connect: 1_000,
  join: 120,
  other: 12_000,
  failedAuth: 1_000,
  address: 300_000,
}

const CLASSES: Readonly<Record<string, CallClass>> = {
  SendMessage: 'send',
  UpdateMessage: 'send',
  UpdateMessagePartial: 'send',
  DeleteMessage: 'send',
  RunMessageAction: 'send',
  SendReaction: 'reaction',
  DeleteReaction: 'reaction',
  SendEvent: 'event',
  MarkRead: 'event',
  MarkUnread: 'event',
  MarkChannelsRead: 'event',
  MarkDelivered: 'event',
  Connect: 'connect',
  Join: 'join',
  Longpoll: 'poll',
  UploadChannelFile: 'upload',
  UploadChannelImage: 'upload',
  UploadFile: 'upload',
  UploadImage: 'upload',
  GetOG: 'og',
}

/** `Query…`, `Get…`, `List…`, `Search…` and the like are reads; all other unnamed calls share `other`. */
export const classOf = (operation: string): CallClass =>
  CLASSES[operation] ?? (/^(?:Query|Get|List|Search|Sync|Unread)/.test(operation) ? 'query' : 'other')

/** The state of a bucket after a call. */
export type Rate = {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Unix seconds: when there is room again, or when the bucket is full. */
  readonly reset: number
}

/** How long an address with too many refused sign-ins is blocked. */
const BLOCK_MS = 60_000

type Bucket = { tokens: number; at: number }

/** Beyond this number the oldest buckets are dropped: a dropped bucket counts as full. */
const MAX_BUCKETS = 10_000

/** Token buckets per person and class of calls: each holds a minute's worth and refills steadily. */
export class Limits {
  readonly #clock: Clock
  readonly #perMinute: CallLimits
  readonly #buckets = new Map<string, Bucket>()
  /** Addresses by the moment their block ends. */
  readonly #blocked = new Map<string, number>()

  constructor(clock: Clock, perMinute: CallLimits) {
    this.#clock = clock
    this.#perMinute = perMinute
  }

  /** Counts one call. */
  take(who: Pick<Identity, 'userId' | 'server'>, operation: string): Rate {
    const kind = classOf(operation)
    return this.#count(keyOf(who, kind), kind)
  }

  /** Counts one request of an address, before its caller is known. */
  arrive(address: string): Rate {
    return this.#count(`address ${address}`, 'address')
  }

  /** Counts a refused sign-in from this address. The one that uses up the bucket blocks the address. */
  fail(address: string): Rate {
    const rate = this.#count(`failed ${address}`, 'failedAuth')
    if (rate.remaining < 1) {
      this.#forgetBlocks()
      this.#blocked.set(address, this.#clock.monotonic() + BLOCK_MS)
    }
    return this.blocked(address) ?? rate
  }

  /** The rate to report while this address is blocked for too many refused sign-ins. */
  blocked(address: string): Rate | undefined {
    const left = (this.#blocked.get(address) ?? 0) - this.#clock.monotonic()
    if (left <= 0) return undefined
    const reset = Math.ceil((this.#clock.now() + left) / 1_000)
    return { allowed: false, limit: this.#perMinute.failedAuth, remaining: 0, reset }
  }

  /** The current rates, without counting a call. See docs/wire.md 3.1 `/rate_limits`. */
  shown(who: Pick<Identity, 'userId' | 'server'>, operations: readonly string[]) {
    const names = operations.length > 0 ? operations : Object.keys(CLASSES)
    return Object.fromEntries(
      names.map((name) => {
        const kind = classOf(name)
        const { limit, remaining, reset } = this.#rate(this.#refilled(keyOf(who, kind), kind), kind, true)
        return [name, { limit, remaining, reset }]
      }),
    )
  }

  #forgetBlocks(): void {
    const now = this.#clock.monotonic()
    for (const [address, until] of this.#blocked) if (until <= now) this.#blocked.delete(address)
  }

  #refilled(key: string, kind: CallClass): Bucket {
    const limit = this.#perMinute[kind]
    const now = this.#clock.monotonic()
    const known = this.#buckets.get(key)
    if (!known) return { tokens: limit, at: now }
    return { tokens: Math.min(limit, known.tokens + ((now - known.at) / 60_000) * limit), at: now }
  }

  #count(key: string, kind: CallClass): Rate {
    const bucket = this.#refilled(key, kind)
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= 1
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > MAX_BUCKETS) this.#buckets.delete(this.#buckets.keys().next().value ?? '')
    return this.#rate(bucket, kind, allowed)
  }

  #rate(bucket: Bucket, kind: CallClass, allowed: boolean): Rate {
    const limit = this.#perMinute[kind]
    const missing = allowed ? limit - bucket.tokens : 1 - bucket.tokens
    const reset = Math.ceil((this.#clock.now() + (missing / limit) * 60_000) / 1_000)
    return { allowed, limit, remaining: Math.floor(bucket.tokens), reset }
  }
}

const keyOf = (who: Pick<Identity, 'userId' | 'server'>, kind: CallClass): string =>
  `${kind} ${who.server ? 'server' : 'user'} ${who.userId}`

/** See docs/wire.md 1.9. */
export const rateHeaders = (rate: Rate): Record<string, string> => ({
  'X-Ratelimit-Limit': String(rate.limit),
  'X-Ratelimit-Remaining': String(rate.remaining),
  'X-Ratelimit-Reset': String(rate.reset),
})

/**
 * The address that limits count. Every loopback address is this machine, and all addresses of a public network of IPv6 are
 * one: whoever has one there has 2^64 of them, and a block cannot be avoided by calling from the next.
 */
export function addressOf(remote: string | undefined): string {
  const plain = (remote ?? '').replace(/^::ffff:/, '')
  if (plain.startsWith('127.') || plain === '::1') return 'loopback'
  const groups = groupsOf(plain)
  const isPublic = groups !== undefined && ((groups[0] ?? 0) & 0xe000) === 0x2000
  return isPublic
    ? `${groups
        .slice(0, NETWORK_GROUPS)
        .map((group) => group.toString(16))
        .join(':')}::/64`
    : plain
}
const NETWORK_GROUPS = 4
