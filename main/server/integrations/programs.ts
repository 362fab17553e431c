import { createHash, createHmac, randomBytes } from 'node:crypto'
import { HOOK_CALLS_PER_MINUTE, FAILING_AFTER, isGood, type CallOutcome } from '#shared/domain/manage/integrations.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Identity } from '../http/auth/identify.ts'
import { STAFF } from '../channels/access.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import {
  changeIntegration,
  insertCall,
  integrationById,
  type CallRow,
  type IntegrationRow,
} from './integration-table.ts'
import type { ProgramNet } from './program-net.ts'

const MINUTE_MS = 60_000
/** A flood of refused calls is noted this often. */
const NOTE_EVERY_MS = 10_000
/** The most answers that are remembered, in case a request is repeated. */
const MOST_ANSWERS = 1_000

type Bucket = { left: number; at: number }

/** What the server remembers of programs while it runs: rates, calls that are on their way, the net they go through. */
export class Programs {
  readonly net: ProgramNet | undefined
  /** Integrations with an event on its way. */
  readonly sending = new Set<string>()
  readonly #clock: Clock
  readonly #buckets = new Map<string, Bucket>()
  readonly #noted = new Map<string, number>()
  readonly #answers = new Map<string, Promise<object>>()

  constructor(net: ProgramNet | undefined, clock: Clock) {
    this.net = net
    this.#clock = clock
  }

  /** Counts one call. @returns the seconds to wait, or 0 when it is allowed */
  take(id: string): number {
    const now = this.#clock.monotonic()
    const known = this.#buckets.get(id) ?? { left: HOOK_CALLS_PER_MINUTE, at: now }
    const left = Math.min(HOOK_CALLS_PER_MINUTE, known.left + ((now - known.at) / MINUTE_MS) * HOOK_CALLS_PER_MINUTE)
    const allowed = left >= 1
    this.#buckets.set(id, { left: allowed ? left - 1 : left, at: now })
    return allowed ? 0 : Math.max(1, Math.ceil(((1 - left) * MINUTE_MS) / HOOK_CALLS_PER_MINUTE / 1_000))
  }

  /** Whether another refusal of this kind is worth a line: a flood must not fill the list of calls. */
  isWorthNoting(id: string, outcome: CallOutcome): boolean {
    const key = `${id} ${outcome}`
    const now = this.#clock.monotonic()
    if (now - (this.#noted.get(key) ?? -Infinity) < NOTE_EVERY_MS) return false
    this.#noted.set(key, now)
    return true
  }

  /** The answer to a message that was sent before, or the one that `make` gives: a program is called once for each. */
  answerOnce(key: string, make: () => Promise<object>): Promise<object> {
    const known = this.#answers.get(key)
    if (known) return known
    const made = make()
    if (this.#answers.size >= MOST_ANSWERS) this.#answers.delete(this.#answers.keys().next().value ?? '')
    this.#answers.set(key, made)
    made.catch(() => this.#answers.delete(key))
    return made
  }
}

/** The identity in whose name a program posts: whatever it may not do is checked where it posts. */
export const botOf = ({ bot_id: id }: Pick<IntegrationRow, 'bot_id'>): Identity => ({
  userId: id ?? '',
  role: 'user',
  banned: false,
  server: true,
  expiresAtMs: undefined,
})

/** Notes a call, counts failures in a row, and tells the owner once when there are too many. */
export function noteCall(work: Work, row: IntegrationRow, call: Omit<CallRow, 'seq' | 'integration_id' | 'at'>): void {
  insertCall(work.db, { ...call, integration_id: row.id, at: work.now })
  const before = integrationById(work.db, row.id)?.fails ?? row.fails
  const fails = isGood(call.outcome) ? 0 : isOwnFault(row, call.outcome) ? before + 1 : before
  if (fails !== before) changeIntegration(work.db, row.id, { fails })
  announceChange(work, fails === FAILING_AFTER && fails > before ? row : undefined)
}

/** Notes that an event will not be sent any more. */
export const noteDropped = (work: Work, row: IntegrationRow, what: string): void =>
  noteCall(work, row, { took: 0, status: null, outcome: 'dropped', what, source: 'parlor', request: null })

/** Why a program may do nothing now. */
export const closed = ({
  revoked_at: revoked,
  paused,
}: Pick<IntegrationRow, 'revoked_at' | 'paused'>): 'revoked' | 'paused' | undefined =>
  revoked !== null ? 'revoked' : paused === 1 ? 'paused' : undefined

const PASSING: ReadonlySet<CallOutcome> = new Set(['too-many', 'revoked', 'paused', 'dropped'])

/** Whether something is wrong that its owner has to mend. A script that asks for what is not there tells nothing. */
const isOwnFault = ({ kind }: IntegrationRow, outcome: CallOutcome): boolean => kind !== 'key' && !PASSING.has(outcome)

/** Tells administrators to look again; with `failing`, its owner is notified of it. */
export function announceChange(work: Work, failing?: IntegrationRow): void {
  const created_at = toText(work.now)
  const admins = work.db
    .all<{ id: string; role: string }>(STAFF)
    .filter(({ role }) => role === 'admin')
    .map(({ id }) => id)
  work.emit({
    event: { type: 'integrations.updated', created_at },
    to: { kind: 'users', ids: admins },
    droppable: true,
  })
  if (failing === undefined) return
  work.emit({
    event: { type: 'integrations.failing', created_at, integration: { id: failing.id, name: failing.name } },
    to: { kind: 'users', ids: [failing.created_by] },
  })
}

/** 256 random bits: nobody guesses one, so a plain hash is enough to store it. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const KEY_PREFIX = 'prl_read_'
export const newKey = (): string => KEY_PREFIX + newSecret()

/** What a secret is looked up by: the time of a search in an index says nothing about the secret. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Of `TIMESTAMP.BODY`. Documented in docs/integrations.md. */
export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
