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
const CALL_OUTCOMES = [
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
  'failed',
] as const
export type CallOutcome = (typeof CALL_OUTCOMES)[number]

const GOOD: ReadonlySet<CallOutcome> = new Set(['posted', 'read', 'delivered', 'answered'])
export const isGood = (outcome: CallOutcome): boolean => GOOD.has(outcome)

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
