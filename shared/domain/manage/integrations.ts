import type { Cid, MessageId, UserId } from '../../lib/brand.ts'

/**
 * - `incoming`: a program posts into one channel;
 * - `outgoing`: the server calls an address when something happens;
 * - `command`: a program answers a slash command;
 * - `key`: a script on this computer reads what its owner may read.
 */
export const INTEGRATION_KINDS = ['incoming', 'outgoing', 'command', 'key'] as const
export type IntegrationKind = (typeof INTEGRATION_KINDS)[number]

/** What an outgoing webhook can be called for. */
export const INTEGRATION_EVENTS = [
  'message.new',
  'message.updated',
  'message.deleted',
  'reaction.new',
  'reaction.deleted',
  'member.added',
  'member.removed',
] as const
export type IntegrationEvent = (typeof INTEGRATION_EVENTS)[number]

/**
 * How a call ended. Of a call to us: `posted`, `read`, or why it was refused. Of a call by us: `delivered`, `answered`,
 * or why not.
 */
export const CALL_OUTCOMES = [
  'posted',
  'read',
  'delivered',
  'answered',
  'too-many',
  'no-text',
  'too-long',
  'bad-request',
  'blocked',
  'channel-frozen',
  'channel-gone',
  'not-allowed',
  'not-found',
  'revoked',
  'paused',
  'refused',
  'redirect',
  'too-big',
  'timeout',
  'unreachable',
  'address',
  'dropped',
] as const
export type CallOutcome = (typeof CALL_OUTCOMES)[number]

const GOOD = ['posted', 'read', 'delivered', 'answered'] as const
export const isGood = (outcome: CallOutcome): outcome is (typeof GOOD)[number] => GOOD.some((each) => each === outcome)

/** Failures in a row after which an integration counts as failing. */
export const FAILING_AFTER = 5
/** Calls of an incoming webhook per minute. */
export const HOOK_CALLS_PER_MINUTE = 60
/** How long calls are kept. */
export const CALL_DAYS = 7
/** How long a revoked integration stays in the list. */
export const REVOKED_DAYS = 30

export const INTEGRATION_NAME_LENGTH = 60
export const INTEGRATION_URL_LENGTH = 2_048
export const COMMAND_NAME_LENGTH = 32
export const COMMAND_HINT_LENGTH = 120

/** A program that takes part in the workspace. Times in epoch milliseconds. */
export type Integration = {
  readonly id: string
  readonly kind: IntegrationKind
  readonly name: string
  readonly cid?: Cid
  readonly url?: string
  readonly command?: string
  readonly hint?: string
  readonly events: readonly IntegrationEvent[]
  /** The address of an incoming webhook without its secret. */
  readonly address?: string
  readonly keyStart?: string
  readonly createdBy: UserId
  readonly createdAt: number
  readonly paused: boolean
  readonly revokedAt?: number
  /** Failures in a row. */
  readonly fails: number
  readonly waiting?: {
    readonly count: number
    readonly tries: number
    readonly of: number
    readonly nextAt: number
  }
  readonly lastOutcome?: CallOutcome
}

export type ProgramCall = {
  readonly id: number
  readonly at: number
  /** Milliseconds. */
  readonly took: number
  readonly status?: number
  readonly outcome: CallOutcome
  readonly what: string
  /** An address; `parlor`: the server itself called. */
  readonly source: string
  readonly request?: string
}

export type TestResult = {
  readonly outcome: CallOutcome
  readonly status?: number
  readonly took: number
  readonly answer?: string
  readonly cid?: Cid
  readonly messageId?: MessageId
  readonly count?: number
}
