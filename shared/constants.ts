/** The numbers of the contract that client and server share. See docs/wire.md, appendix B. */

/** Maximum files in one message. See docs/wire.md, appendix B. */
export const MAX_FILES_PER_MESSAGE = 10
/** Bytes. See docs/wire.md, appendix B. */
export const UPLOAD_LIMIT_BYTES = 104_857_600
/** Steps of `waveform_data`, as other clients of the contract send it. */
export const WAVEFORM_STEPS = 100
/** See docs/wire.md, appendix B. */
export const LINK_PREVIEW_DEBOUNCE_MS = 1_500
/** A received typing entry expires after this. See docs/wire.md, appendix B. */
export const TYPING_EXPIRY_MS = 7_000
/** typing.start is sent at most this often. See docs/wire.md, appendix B. */
export const TYPING_RESEND_MS = 2_000
/** Idle time after which typing.stop is sent. */
export const TYPING_AUTO_STOP_MS = 1_000
/** See docs/wire.md, appendix B. */
export const MESSAGE_PAGE = 25
/** See docs/wire.md, appendix B. */
export const INITIAL_MESSAGE_PAGE = 100
/** See docs/wire.md, appendix B. */
export const BACKOFF_CAP_MS = 25_000
/** The longest wait before the next attempt while the user is active in a window. Ours. */
export const FOCUSED_BACKOFF_CAP_MS = 10_000
/** See docs/wire.md, appendix B. */
export const SUGGESTION_DEBOUNCE_MS = 300
export const SUGGESTION_PAGE = 10
/** Below this many members, mention search is local. See docs/wire.md, appendix B. */
export const LOCAL_MEMBER_SEARCH_BELOW = 100
/** `@channel` and `@here` ask for confirmation above this number of people. */
export const CALL_ASKS_ABOVE = 20
/** See docs/wire.md, appendix B. */
export const FUZZY_DISTANCE = 3
/** See docs/wire.md, appendix B. */
export const REPLY_PAGE = 50
/** See docs/wire.md, appendix B. */
export const MARK_READ_THROTTLE_MS = 1_000
/** See docs/wire.md, appendix B. */
export const THREAD_LIST_PAGE = 25
export const THREAD_LIST_PARTICIPANTS = 10
export const THREAD_LIST_REPLIES = 10
export const THREAD_LIST_RELOAD_MS = 1_000
/** See docs/wire.md, appendix B. */
export const CHANNEL_LIST_LIMIT = 10
export const CHANNEL_LIST_RETRIES = 3
export const CHANNEL_LIST_RETRY_MS = 1_000
/** Channels per recovery request. See docs/wire.md 7.4. */
export const RECOVERY_PAGE = 30
/** See docs/wire.md, appendix B. */
export const PING_INTERVAL_MS = 25_000
/** See docs/wire.md, appendix B. */
export const CONNECTION_CHECK_MS = 35_000
/** See docs/wire.md, appendix B. */
export const INITIAL_CONNECT_MS = 15_000
/** The same where long-polling can step in. See docs/wire.md 2.7. */
export const INITIAL_CONNECT_WITH_FALLBACK_MS = 6_000
/** See docs/wire.md, appendix B. */
export const RECONNECT_ON_ONLINE_MS = 10
/** See docs/wire.md, appendix B. */
export const CLOSE_WAIT_MS = 1_000
/** See docs/wire.md, appendix B. */
export const OFFLINE_NOTICE_MS = 5_000
/** See docs/wire.md, appendix B. */
export const LONGPOLL_TIMEOUT_MS = 30_000
export const LONGPOLL_CONNECT_MS = 8_000
export const LONGPOLL_CLOSE_MS = 2_000
/** See docs/wire.md, appendix B. */
export const NOTICE_DURATION_MS = 3_000
/** Timeout of ordinary HTTP requests. */
export const HTTP_TIMEOUT_MS = 10_000
/**
 * Channels per /sync call, and the age beyond which the cache is rebuilt instead. See docs/wire.md 6.5 and appendix B.
 */
export const SYNC_CIDS = 255
export const SYNC_MAX_AGE_MS = 30 * 24 * 3_600_000
/** Characters in a message unless the channel says otherwise. See docs/wire.md 6.5 "message text". */
export const DEFAULT_MESSAGE_LENGTH = 5_000
/** The highest limit a channel can set. See docs/wire.md 6.5. */
export const MAX_MESSAGE_LENGTH = 20_000
/** The highest score of one person's reaction. */
export const REACTION_SCORE_LIMIT = 10
/** Messages of one author closer together than this are shown as one group. */
export const GROUPING_GAP_MS = 5 * 60_000
/** Maximum messages in a window of the replica. */
export const WINDOW_LIMIT = 300
/** Outbox bounds. */
export const OUTBOX_MAX_ITEMS = 10_000
export const OUTBOX_MAX_STAGED_BYTES = 200 * 1024 * 1024

/** Shortest live share of a location. See docs/wire.md, appendix B. */
export const MIN_LOCATION_SHARE_MS = 60_000

/** Maximum length of a person's name in a local workspace, in UTF-16 units. Ours: as the fields of the start screen. */
export const PERSON_NAME_LENGTH = 100
/** Bytes of a custom notification sound: enough for ten seconds in any usual format. Ours. */
export const SOUND_FILE_BYTES = 500_000
/** Maximum length of a person's status. */
export const STATUS_LENGTH = 120
/** Maximum length of the user's own name for an account. */
export const WORKSPACE_NAME_LENGTH = 100
/** See docs/wire.md, appendix B. */
export const MAX_POLL_OPTIONS = 100
export const MIN_POLL_VOTES = 2
export const MAX_POLL_VOTES = 10

/** Maximum bytes of a file in one call of the bridge. */
export const FILE_PIECE_BYTES = 524_288
