import * as constants from '#shared/constants.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { CALL_TEXTS } from '#shared/rules/server/call-refusals.ts'
import { channelIdRefusal, channelTypeRefusal } from '#shared/rules/channels/channels.ts'
import { REFRESH_FOR_MS, REMINDER_OFFSETS_MS } from '#shared/rules/reminders/reminders.ts'
import { OTHER_THREAD } from '#main/engine/features/threads/state.ts'
import { CONNECT_TWICE, NO_INITIAL_CONNECTION, wsFailed } from '#main/engine/realtime/texts.ts'
import { TOKEN_EMPTY, TOKEN_MISMATCH } from '#main/engine/session/token.ts'

type Name = keyof typeof constants
const ALL: Readonly<Record<Name, unknown>> = { ...constants }

/** Where a sentence of the behaviour spec is shown: a test file, and words of it. */
export type Shown = readonly [file: string, words: string]

/** A text of sections 5 and 8. `at` is its place in the locales, `value` what the code says where no one translates it. */
export type TextRow = {
  readonly text: string
  readonly at?: readonly [area: string, key: string]
  readonly value?: string
  readonly shown: Shown
}

const CALLS = 'shared/rules/server/call-refusals.test.ts'
const POLL_DIALOG = 'renderer/features/polls/form/PollDialog.test.tsx'
const SESSION = 'main/engine/session/session.test.ts'
const NOTICES = 'main/engine/notices.test.ts'
const CONNECTION = 'main/engine/realtime/connection.test.ts'
const LONGPOLL = 'main/engine/realtime/longpoll.test.ts'
const PAGES = 'main/engine/page-sizes.test.ts'
const SUGGESTIONS = 'renderer/features/composer/suggestions/suggestions.test.tsx'

const literal = (text: string, at: TextRow['at'], file: string): TextRow => ({
  text,
  at,
  shown: [file, text],
})

/** Section 5, "Validation rules": the texts it gives. */
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

/** Section 8, "User-visible notifications", with the type beside each; the one without a value there has ours. */
export const NOTICE_TEXTS: readonly (TextRow & { readonly type: string; readonly severity: 'error' | 'warning' })[] = [
  {
    ...literal('Error uploading attachment', ['errors', 'upload/failed'], NOTICES),
    type: 'api:attachment:upload:failed',
    severity: 'error',
  },
  {
    ...literal('The attachment upload was blocked', ['errors', 'upload/blocked'], NOTICES),
    type: 'validation:attachment:upload:blocked',
    severity: 'error',
  },
  {
    ...literal('File is required for upload attachment', ['errors', 'upload/file-missing'], NOTICES),
    type: 'validation:attachment:file:missing',
    severity: 'error',
  },
  {
    ...literal('Local upload attachment missing local id', ['errors', 'upload/id-missing'], NOTICES),
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
    ...literal('Failed to get the draft', ['errors', 'draft/get-failed'], NOTICES),
    type: 'api:draft:get:failed',
    severity: 'error',
  },
  {
    ...literal('Failed to create the poll', ['errors', 'poll/create-failed'], NOTICES),
    type: 'api:poll:create:failed',
    severity: 'error',
  },
  {
    ...literal('Failed to share the location', ['errors', 'location/failed'], NOTICES),
    type: 'api:location:create:failed',
    severity: 'error',
  },
]

/** Section 8, "Errors". `Campaign id is missing...` goes on in our words. */
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
    shown: ['main/engine/features/threads/threads.test.ts', 'the state of another thread than the requested one'],
  },
]

/** Section 8, "Numeric codes": those that can be tried again, and those that cannot. */
export const RETRYABLE = [-1, 3, 9, 23, 45, 60, 71]
export const FINAL = [2, 4, 6, 16, 17, 18, 19, 20, 21, 22, 24, 40, 41, 42, 43, 44, 46, 69, 70, 99]

/** An agreed number: what it must be, what the code has, and the test that shows it. */
export type NumberRow = {
  readonly item: string
  readonly is: unknown
  readonly value: unknown
  /** Names of `shared/constants.ts`: each must be used by the product. */
  readonly names?: readonly Name[]
  readonly shown: Shown
}

const one = (item: string, is: number, name: Name, shown: Shown): NumberRow => ({
  item,
  is,
  value: ALL[name],
  names: [name],
  shown,
})
const several = (item: string, is: Readonly<Partial<Record<Name, number>>>, shown: Shown): NumberRow => {
  const names = Object.keys(is) as Name[]
  return { item, is, value: Object.fromEntries(names.map((name) => [name, ALL[name]])), names, shown }
}

/** Section 9, row by row. "Diagnostics retry" is left out: nothing is sent. */
export const NUMBERS: readonly NumberRow[] = [
  one('Max files per message', 10, 'MAX_FILES_PER_MESSAGE', [
    'shared/rules/composer/composer.test.ts',
    'ten files fit, eleven do not',
  ]),
  one('Upload size limit', 104_857_600, 'UPLOAD_LIMIT_BYTES', [
    'shared/rules/uploads/uploads.test.ts',
    '100 MB is the limit',
  ]),
  one('Link preview debounce', 1_500, 'LINK_PREVIEW_DEBOUNCE_MS', [
    'renderer/features/composer/previews/previews.test.tsx',
    '1500 ms after the last key',
  ]),
  one('Typing expiry', 7_000, 'TYPING_EXPIRY_MS', [
    'shared/rules/channels/typing.test.ts',
    'a typist is dropped seven seconds after the last event',
  ]),
  one('Typing re-send interval', 2_000, 'TYPING_RESEND_MS', [
    'shared/rules/channels/typing.test.ts',
    'typing.start repeats every two seconds at most',
  ]),
  one('Min location share duration', 60_000, 'MIN_LOCATION_SHARE_MS', [
    'shared/rules/locations/locations.test.ts',
    'a live share is at least 60000 ms',
  ]),
  several('Poll max votes', { MIN_POLL_VOTES: 2, MAX_POLL_VOTES: 10 }, [
    'shared/rules/polls/poll-form.test.ts',
    'votes are numbers from 2 to 10',
  ]),
  one('Poll options', 100, 'MAX_POLL_OPTIONS', ['shared/rules/polls/poll-form.test.ts', 'at most 100 options']),
  one('Default message page size', 25, 'MESSAGE_PAGE', [PAGES, 'and pages by 25']),
  one('Initial channel message page', 100, 'INITIAL_MESSAGE_PAGE', [PAGES, 'opened with its newest 100 messages']),
  one('Retry back-off cap', 25_000, 'BACKOFF_CAP_MS', [CONNECTION, 'never waits longer than the maximum']),
  several('Suggestion search debounce / page size', { SUGGESTION_DEBOUNCE_MS: 300, SUGGESTION_PAGE: 10 }, [
    SUGGESTIONS,
    'with a hundred or more the server is searched 300 ms after the last key',
  ]),
  one('Local member search', 100, 'LOCAL_MEMBER_SEARCH_BELOW', [
    SUGGESTIONS,
    'fewer than a hundred members are searched locally',
  ]),
  one('Fuzzy mention match distance', 3, 'FUZZY_DISTANCE', [
    'renderer/features/composer/suggestions/mentions.test.ts',
    'up to three letters may be wrong',
  ]),
  one('Thread replies page size', 50, 'REPLY_PAGE', [PAGES, 'replies are requested by 50']),
  one('Mark-as-read throttle', 1_000, 'MARK_READ_THROTTLE_MS', [
    'main/engine/engine.test.ts',
    'marking read is shown at once and sent at most once a second',
  ]),
  several(
    'Thread list page / participants / replies',
    { THREAD_LIST_PAGE: 25, THREAD_LIST_PARTICIPANTS: 10, THREAD_LIST_REPLIES: 10 },
    [PAGES, 'the list of threads requests 25, with 10 participants and 10 replies each'],
  ),
  one('Thread list reload throttle', 1_000, 'THREAD_LIST_RELOAD_MS', [
    'tests/flow/thread-inbox.test.ts',
    'it is asked for at most once a second',
  ]),
  one('Channel list default limit / offset', 10, 'CHANNEL_LIST_LIMIT', [
    'tests/contract/channels/channels-more.test.ts',
    'a list that names no limit has ten channels, from the first on',
  ]),
  several('Channel list retries', { CHANNEL_LIST_RETRIES: 3, CHANNEL_LIST_RETRY_MS: 1_000 }, [
    PAGES,
    'a failing list is retried three times, a second apart',
  ]),
  one('Realtime ping', 25_000, 'PING_INTERVAL_MS', [CONNECTION, 'pings 25 seconds after each health check']),
  one('Connection check timeout', 35_000, 'CONNECTION_CHECK_MS', [
    CONNECTION,
    'notices a dead peer after 35 seconds of silence',
  ]),
  one('Initial connect timeout', 15_000, 'INITIAL_CONNECT_MS', [CONNECTION, 'gives a dial fifteen seconds']),
  one('Reconnect on online', 10, 'RECONNECT_ON_ONLINE_MS', [
    CONNECTION,
    'coming online tries again after ten milliseconds',
  ]),
  one('Disconnect close wait', 1_000, 'CLOSE_WAIT_MS', [CONNECTION, 'waits at most a second for the peer to close']),
  one('Offline notice delay', 5_000, 'OFFLINE_NOTICE_MS', [CONNECTION, 'reports offline only after five seconds']),
  several('Long-poll timeouts', { LONGPOLL_TIMEOUT_MS: 30_000, LONGPOLL_CONNECT_MS: 8_000, LONGPOLL_CLOSE_MS: 2_000 }, [
    LONGPOLL,
    'connects with the payload and no id, then polls with the id it got',
  ]),
  one('Notification duration', 3_000, 'NOTICE_DURATION_MS', [
    'renderer/features/notices/Notices.test.tsx',
    '%s is shown for 3000 ms',
  ]),
  {
    item: 'Reminder refresh stops',
    is: 14 * 24 * 3_600_000,
    value: REFRESH_FOR_MS,
    shown: ['shared/rules/reminders/reminders.test.ts', 'never again 14 days after'],
  },
  {
    item: 'Default reminder offsets',
    is: [2, 30, 60, 120, 480, 1_440].map((minutes) => minutes * 60_000),
    value: REMINDER_OFFSETS_MS,
    shown: ['shared/rules/reminders/reminders.test.ts', 'the menu offers 2 and 30 minutes, 1, 2, 8 and 24 hours'],
  },
  {
    item: 'Defaults: drafts and link previews off (no link is fetched before the person was asked), typing told',
    is: [false, 'ask', true],
    value: [DEFAULT_SETTINGS.syncDrafts, DEFAULT_SETTINGS.linkPreviews.mode, DEFAULT_SETTINGS.publishTyping],
    shown: ['renderer/features/composer/previews/previews.test.tsx', 'no preview is requested before the user agrees'],
  },
]

/** Rules of sections 4, 5, 7 and 9 that have neither a text nor a number of their own. */
export const RULES: readonly (readonly [rule: string, ...shown: Shown])[] = [
  ['the five reasons an upload is refused for', 'shared/rules/uploads/uploads.test.ts', 'returns %s'],
  ['a blocked attachment is never uploaded', 'main/engine/features/uploads/files.test.ts', 'before any byte'],
  ['uploading needs a free slot', 'shared/rules/uploads/uploads.test.ts', 'blocked and failed files use no slot'],
  ['text of Markdown characters only is empty', 'shared/rules/messages/text.test.ts', "'____'"],
  ['mentions remain while the text contains them', 'shared/rules/messages/text.test.ts', 'mentions remain only while'],
  [
    'a message too long is discarded, never cut silently',
    'shared/rules/composer/composer.test.ts',
    'text over the limit',
  ],
  [
    'an empty option is appended automatically',
    'shared/rules/polls/poll-form.test.ts',
    'a new empty option is appended',
  ],
  ['at least one option', 'shared/rules/polls/poll-form.test.ts', 'at least one option must have text'],
  ['no maximum while votes are unique', 'shared/rules/polls/poll-form.test.ts', 'a unique vote clears'],
  ['a unique vote replaces the previous one', 'shared/rules/polls/polls.test.ts', 'a unique vote replaces'],
  ['a deletion of reactions needs id and type', CALLS, 'Reaction type is missing'],
  ['archive and pin need a person', CALLS, 'User id is missing'],
  ['search takes offset or next, and a query', CALLS, 'searchCursor'],
  ['a profile has a name or a picture to check', CALLS, 'Either username or image must be provided'],
  [
    'every kind of message online, offline, refused, restarted',
    'tests/flow/kinds-of-messages.test.ts',
    'arrives, once',
  ],
  ['reminders fall back from one call to the other', 'tests/flow/reminders.test.ts', 'an unknown one that exists'],
  [
    'an active thread of a channel that is watched no longer reloads itself',
    'main/engine/features/threads/threads.test.ts',
    'a thread whose channel is no longer watched is outdated',
  ],
  ['a list that fails is no error while channels are held', PAGES, 'a failing list reports nothing if channels'],
  ['reads are sent where channel and rights allow', 'main/engine/features/reads/marker.test.ts', 'is told to no one'],
  ['a composer requires a channel', 'shared/bridge/contract.test.ts', 'a composition names its channel'],
  ['a place has both coordinates', 'shared/bridge/contract.test.ts', 'a place has both its coordinates'],
  ['a second person on one connection', 'tests/sim/ten-accounts.test.ts', 'with the token of another'],
  ['nothing is done for who has signed out', 'main/app/accounts/signing-in.test.ts', "toBe('session/signed-out')"],
  [
    'typing is told where channel, rights and person allow',
    'shared/rules/channels/typing.test.ts',
    'typing is published only when',
  ],
  ['uploads in progress: "Send when ready"', 'renderer/features/composer/files/uploads.test.tsx', 'Enter warns'],
  ['when a relative time is refreshed', 'shared/rules/reminders/reminders.test.ts', 'each minute within the hour'],
  ['the first day of a week', 'renderer/i18n/format.test.ts', 'a week in %s'],
  ['code 46 asks for a new connection id', LONGPOLL, 'that lost its id requests a new one'],
  ['a final error closes the long poll', LONGPOLL, 'that is rejected for good is closed'],
  ['codes that can be tried again', 'main/engine/api/errors.test.ts', 'classifies code %s'],
]
