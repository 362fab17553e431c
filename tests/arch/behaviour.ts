import * as constants from '#shared/constants.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { CALL_TEXTS } from '#shared/rules/server/call-refusals.ts'
import { channelIdRefusal, channelTypeRefusal } from '#shared/rules/channels/channels.ts'
import { REFRESH_FOR_MS, REMINDER_OFFSETS_MS } from '#shared/rules/reminders/reminders.ts'
import { OTHER_THREAD } from '#main/engine/features/threads/inbox.ts'
import { CONNECT_TWICE, NO_INITIAL_CONNECTION, wsFailed } from '#main/engine/realtime/envelope.ts'
import { TOKEN_EMPTY, TOKEN_MISMATCH } from '#main/engine/session/token.ts'

type Name = keyof typeof constants
const ALL: Readonly<Record<Name, unknown>> = { ...constants }

/**
 * The test that shows an agreed text: the file that has it among its values, or, where a test has only its key, the id
 * that the name of the test begins with.
 */
export type Shown = readonly [file: string, text: string] | string

/**
 * A text of docs/wire.md, appendix C. `at` is its key in the locales, `value` the value in the code where it is not translated.
 */
export type TextRow = {
  readonly text: string
  readonly at?: readonly [area: string, key: string]
  readonly value?: string
  readonly shown: Shown
}

const CALLS = 'shared/rules/server/call-refusals.test.ts'
const POLL_DIALOG = 'renderer/features/polls/form/PollDialog.test.tsx'
const SESSION = 'main/engine/session/session.test.ts'
const CONNECTION = 'main/engine/realtime/connection.test.ts'

const literal = (text: string, at: TextRow['at'], shown: string): TextRow => ({
  text,
  at,
  shown: shown.startsWith('AGR-') ? shown : [shown, text],
})

/** The texts of validation. */
export const VALIDATION_TEXTS: readonly TextRow[] = [
  literal(
    'Wait until all attachments have uploaded',
    ['errors', 'composer/uploads-in-progress'],
    'renderer/features/composer/files/uploads.test.tsx',
  ),
  literal('Question is required', ['polls', 'form.problems.questionRequired'], POLL_DIALOG),
  literal('Only numbers are allowed', ['polls', 'form.problems.numbersOnly'], POLL_DIALOG),
  literal('Type a number from 2 to 10', ['polls', 'form.problems.votesRange'], POLL_DIALOG),
  literal('Enforce unique vote is enabled', ['polls', 'form.uniqueOn'], POLL_DIALOG),
  literal('Option already exists', ['polls', 'form.problems.optionExists'], POLL_DIALOG),
  literal('Option is empty', ['polls', 'form.problems.optionEmpty'], POLL_DIALOG),
  literal(
    'Reached the vote limit. Remove an existing vote first.',
    ['errors', 'poll/vote-limit'],
    'renderer/features/polls/PollCard.test.tsx',
  ),
  {
    text: 'Invalid chat type a!, letters, numbers and "_-" are allowed',
    value: channelTypeRefusal('a!') ?? '',
    shown: ['shared/rules/channels/channels.test.ts', 'Invalid chat type a!, letters, numbers and "_-" are allowed'],
  },
  {
    text: 'Invalid chat id a:b, letters, numbers and "!-_" are allowed',
    value: channelIdRefusal('a:b') ?? '',
    shown: ['shared/rules/channels/channels.test.ts', 'Invalid chat id a:b, letters, numbers and "!-_" are allowed'],
  },
  { ...literal('Message id is missing', undefined, CALLS), value: CALL_TEXTS.messageId },
  { ...literal('Reaction object is missing', undefined, CALLS), value: CALL_TEXTS.reaction },
  {
    ...literal(
      'userToken does not have a user_id or is not matching with user.id',
      ['errors', 'session/token-mismatch'],
      SESSION,
    ),
    value: TOKEN_MISMATCH,
  },
  { ...literal('User token can not be empty', ['errors', 'session/token-empty'], SESSION), value: TOKEN_EMPTY },
]

/** The notices that a user sees, each with its type. */
export const NOTICE_TEXTS: readonly (TextRow & { readonly type: string; readonly severity: 'error' | 'warning' })[] = [
  {
    ...literal('Error uploading attachment', ['errors', 'upload/failed'], 'AGR-62'),
    type: 'api:attachment:upload:failed',
    severity: 'error',
  },
  {
    ...literal('The attachment upload was blocked', ['errors', 'upload/blocked'], 'AGR-63'),
    type: 'validation:attachment:upload:blocked',
    severity: 'error',
  },
  {
    ...literal('File is required for upload attachment', ['errors', 'upload/file-missing'], 'AGR-64'),
    type: 'validation:attachment:file:missing',
    severity: 'error',
  },
  {
    ...literal('Local upload attachment missing local id', ['errors', 'upload/id-missing'], 'AGR-65'),
    type: 'validation:attachment:id:missing',
    severity: 'error',
  },
  {
    ...literal(
      'Wait until all attachments have uploaded',
      ['errors', 'composer/uploads-in-progress'],
      'renderer/features/composer/files/uploads.test.tsx',
    ),
    type: 'validation:attachment:upload:in-progress',
    severity: 'warning',
  },
  {
    ...literal('Failed to get the draft', ['errors', 'draft/get-failed'], 'AGR-66'),
    type: 'api:draft:get:failed',
    severity: 'error',
  },
  {
    ...literal('Failed to create the poll', ['errors', 'poll/create-failed'], 'AGR-67'),
    type: 'api:poll:create:failed',
    severity: 'error',
  },
  {
    ...literal('Failed to share the location', ['errors', 'location/failed'], 'AGR-68'),
    type: 'api:location:create:failed',
    severity: 'error',
  },
]

/** The errors. `Campaign id is missing` continues with our own text. */
export const ERROR_TEXTS: readonly TextRow[] = [
  {
    text: 'Campaign id is missing',
    value: CALL_TEXTS.campaignId.slice(0, 22),
    shown: [CALLS, 'Campaign id is missing'],
  },
  {
    ...literal('Channel or channel type have to be provided to query a channel.', undefined, CALLS),
    value: CALL_TEXTS.channelType,
  },
  {
    ...literal('Channel ID or channel members array have to be provided to query a channel.', undefined, CALLS),
    value: CALL_TEXTS.channelMembers,
  },
  {
    ...literal('WS failed with code 1006 and reason - gone', undefined, 'main/engine/realtime/texts.test.ts'),
    value: wsFailed(1_006, 'gone'),
  },
  {
    ...literal('initial WS connection could not be established', undefined, 'main/engine/realtime/texts.test.ts'),
    value: NO_INITIAL_CONNECTION,
  },
  {
    ...literal(
      "You've called connect twice, can only attempt 1 connection at the time",
      ['errors', 'session/connect-twice'],
      CONNECTION,
    ),
    value: CONNECT_TWICE,
  },
  {
    text: 'A thread cannot be hydrated with the state of another thread',
    value: OTHER_THREAD,
    shown: 'AGR-69',
  },
]

/** Codes that can be retried, and codes that cannot. */
export const RETRYABLE = [-1, 3, 9, 23, 45, 60, 71]
export const FINAL = [2, 4, 6, 16, 17, 18, 19, 20, 21, 22, 24, 40, 41, 42, 43, 44, 46, 69, 70, 99]

/** An agreed number: its value, and the value in the code. The name of the test that shows it begins with the id. */
export type NumberRow = {
  readonly item: string
  readonly is: unknown
  readonly value: unknown
  /** Names of `shared/constants.ts`: each must be used by the product. */
  readonly names?: readonly Name[]
  readonly id: string
}

const one = (item: string, is: number, name: Name, id: string): NumberRow => ({
  item,
  is,
  value: ALL[name],
  names: [name],
  id,
})
const several = (item: string, is: Readonly<Partial<Record<Name, number>>>, id: string): NumberRow => {
  const names = Object.keys(is) as Name[]
  return { item, is, value: Object.fromEntries(names.map((name) => [name, ALL[name]])), names, id }
}

/** The numbers of the contract. Those of diagnostics are left out: nothing is sent. */
export const NUMBERS: readonly NumberRow[] = [
  one('Max files per message', 10, 'MAX_FILES_PER_MESSAGE', 'AGR-01'),
  one('Upload size limit', 104_857_600, 'UPLOAD_LIMIT_BYTES', 'AGR-02'),
  one('Link preview debounce', 1_500, 'LINK_PREVIEW_DEBOUNCE_MS', 'AGR-03'),
  one('Typing expiry', 7_000, 'TYPING_EXPIRY_MS', 'AGR-04'),
  one('Typing re-send interval', 2_000, 'TYPING_RESEND_MS', 'AGR-05'),
  one('Min location share duration', 60_000, 'MIN_LOCATION_SHARE_MS', 'AGR-06'),
  several('Poll max votes', { MIN_POLL_VOTES: 2, MAX_POLL_VOTES: 10 }, 'AGR-07'),
  one('Poll options', 100, 'MAX_POLL_OPTIONS', 'AGR-08'),
  one('Default message page size', 25, 'MESSAGE_PAGE', 'AGR-09'),
  one('Initial channel message page', 100, 'INITIAL_MESSAGE_PAGE', 'AGR-10'),
  one('Retry back-off cap', 25_000, 'BACKOFF_CAP_MS', 'AGR-11'),
  several('Suggestion search debounce / page size', { SUGGESTION_DEBOUNCE_MS: 300, SUGGESTION_PAGE: 10 }, 'AGR-12'),
  one('Local member search', 100, 'LOCAL_MEMBER_SEARCH_BELOW', 'AGR-13'),
  one('Fuzzy mention match distance', 3, 'FUZZY_DISTANCE', 'AGR-14'),
  one('Thread replies page size', 50, 'REPLY_PAGE', 'AGR-15'),
  one('Mark-as-read throttle', 1_000, 'MARK_READ_THROTTLE_MS', 'AGR-16'),
  several(
    'Thread list page / participants / replies',
    { THREAD_LIST_PAGE: 25, THREAD_LIST_PARTICIPANTS: 10, THREAD_LIST_REPLIES: 10 },
    'AGR-17',
  ),
  one('Thread list reload throttle', 1_000, 'THREAD_LIST_RELOAD_MS', 'AGR-18'),
  one('Channel list default limit / offset', 10, 'CHANNEL_LIST_LIMIT', 'AGR-19'),
  several('Channel list retries', { CHANNEL_LIST_RETRIES: 3, CHANNEL_LIST_RETRY_MS: 1_000 }, 'AGR-20'),
  one('Realtime ping', 25_000, 'PING_INTERVAL_MS', 'AGR-21'),
  one('Connection check timeout', 35_000, 'CONNECTION_CHECK_MS', 'AGR-22'),
  one('Initial connect timeout', 15_000, 'INITIAL_CONNECT_MS', 'AGR-23'),
  one('Reconnect on online', 10, 'RECONNECT_ON_ONLINE_MS', 'AGR-24'),
  one('Disconnect close wait', 1_000, 'CLOSE_WAIT_MS', 'AGR-25'),
  one('Offline notice delay', 5_000, 'OFFLINE_NOTICE_MS', 'AGR-26'),
  several(
    'Long-poll timeouts',
    { LONGPOLL_TIMEOUT_MS: 30_000, LONGPOLL_CONNECT_MS: 8_000, LONGPOLL_CLOSE_MS: 2_000 },
    'AGR-27',
  ),
  one('Notification duration', 3_000, 'NOTICE_DURATION_MS', 'AGR-28'),
  {
    item: 'Reminder refresh stops',
    is: 14 * 24 * 3_600_000,
    value: REFRESH_FOR_MS,
    id: 'AGR-29',
  },
  {
    item: 'Default reminder offsets',
    is: [2, 30, 60, 120, 480, 1_440].map((minutes) => minutes * 60_000),
    value: REMINDER_OFFSETS_MS,
    id: 'AGR-30',
  },
  {
    item: 'Defaults: drafts and link previews off (no link is fetched before the user was asked), typing shown',
    is: [false, 'ask', true],
    value: [DEFAULT_SETTINGS.syncDrafts, DEFAULT_SETTINGS.linkPreviews.mode, DEFAULT_SETTINGS.publishTyping],
    id: 'AGR-31',
  },
]

/** Rules of the contract that have neither a text nor a number. */
export const RULES: readonly (readonly [rule: string, id: string])[] = [
  ['the five reasons an upload is refused for', 'AGR-32'],
  ['a blocked attachment is never uploaded', 'AGR-33'],
  ['uploading needs a free slot', 'AGR-34'],
  ['text of Markdown characters only is empty', 'AGR-35'],
  ['mentions remain while the text contains them', 'AGR-36'],
  ['a message too long is discarded, never cut silently', 'AGR-37'],
  ['an empty option is appended automatically', 'AGR-38'],
  ['at least one option', 'AGR-39'],
  ['no maximum while votes are unique', 'AGR-40'],
  ['a unique vote replaces the previous one', 'AGR-41'],
  ['a deletion of reactions needs id and type', 'AGR-42'],
  ['archive and pin need a person', 'AGR-43'],
  ['search takes offset or next, and a query', 'AGR-44'],
  ['a profile has a name or a picture to check', 'AGR-45'],
  ['every kind of message online, offline, refused, restarted', 'AGR-46'],
  ['reminders fall back from one call to the other', 'AGR-47'],
  ['an active thread of a channel that is watched no longer reloads itself', 'AGR-48'],
  ['a list that fails is no error while channels are held', 'AGR-49'],
  ['reads are sent where channel and rights allow', 'AGR-50'],
  ['a composer requires a channel', 'AGR-51'],
  ['a place has both coordinates', 'AGR-52'],
  ['a second person on one connection', 'AGR-53'],
  ['nothing is done for who has signed out', 'AGR-54'],
  ['typing is told where channel, rights and person allow', 'AGR-55'],
  ['uploads in progress: "Send when ready"', 'AGR-56'],
  ['when a relative time is refreshed', 'AGR-57'],
  ['the first day of a week', 'AGR-58'],
  ['code 46 asks for a new connection id', 'AGR-59'],
  ['a final error closes the long poll', 'AGR-60'],
  ['codes that can be tried again', 'AGR-61'],
]
