import type { Cid, MessageId } from '#shared/lib/brand.ts'

/** A transient message to the user. Texts and types: docs/wire.md, appendix C; recorded in a log. */
export type Notice = {
  readonly id: string
  /** Locale code of the text. */
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
  readonly detail?: string
  /** For example `api:attachment:upload:failed`. */
  readonly type: string
  readonly severity: 'error' | 'warning' | 'info' | 'success'
  readonly createdAt: number
  /** Stays until it is dismissed or {@link over}, however long that takes. */
  readonly lasting?: true
  /** Its cause has ended; from then on only the log shows it. */
  readonly over?: true
}

/** What notifies in a channel: every message, only messages for the viewer, or nothing. */
export type NotifyLevel = 'all' | 'mentions' | 'none'

/** Hours without notifications. Weekdays: 1 is Monday. A range that ends before it begins spans midnight. */
export type QuietHours = {
  /** Identifies it in the settings. */
  readonly id: string
  readonly weekdays: readonly number[]
  /** Minutes of the local day. */
  readonly from: number
  readonly to: number
}

/** Sounds that Parlor plays in its windows; `file`: the user's sound file. */
export const OWN_SOUNDS = ['knock', 'drop', 'chime', 'bell', 'file'] as const
export type OwnSound = (typeof OWN_SOUNDS)[number]
/** `system`: the default notification sound of the system. */
export const SOUNDS = ['system', ...OWN_SOUNDS, 'none'] as const
export type SoundName = (typeof SOUNDS)[number]
/** `meant`: for the viewer: a direct message, a mention or a keyword. */
export type SoundKind = 'meant' | 'message' | 'reminder'
export type SoundChoices = {
  readonly [Kind in SoundKind]: SoundName
} & {
  /** Volume of Parlor's own sounds, 0 to 100. */
  readonly volume: number
  /** Original name of the sound file; empty: none is stored. */
  readonly file: string
}

/** One notification a day with what happened in a channel, instead of one for each message. */
export type Digest = {
  /** Minute of the local day. */
  readonly minute: number
  readonly days: 'daily' | 'workdays'
  /** Direct messages, mentions and keywords do not wait for it. */
  readonly mentionsNow: boolean
}

/** The user's notification settings on this device. */
export type NotificationChoices = {
  readonly level: NotifyLevel
  /** Channels with their own level: by workspace and person (`sidebarKey`), then by cid. */
  readonly levels: Readonly<Record<string, Readonly<Record<string, NotifyLevel>>>>
  /** Channels with a digest, by workspace and person, then by cid. */
  readonly digests: Readonly<Record<string, Readonly<Record<string, Digest>>>>
  /** A message with one of these is treated as a mention; compared folded, as in search. */
  readonly keywords: readonly string[]
  /** What a notification shows: everything, sender and channel, or only that there is something. */
  readonly preview: 'full' | 'sender' | 'nothing'
  /** Presentation mode: while it is on, notifications show no message text. */
  readonly presenting: boolean
  /** Off: no sounds are played. */
  readonly sound: boolean
  readonly sounds: SoundChoices
  /**
   * Whether the icon in the dock or taskbar bounces or flashes with a notification: once, or until Parlor is opened.
   */
  readonly flash: 'never' | 'once' | 'until-opened'
  /** What the badge on the dock, taskbar and tray counts. */
  readonly badge: 'mentions' | 'all' | 'off'
  /** No notifications until then: epoch milliseconds of this device; 0 or past: not paused. */
  readonly pausedUntil: number
  readonly quietHours: readonly QuietHours[]
  /** People who can notify during quiet hours: user ids. */
  readonly allowed: readonly string[]
}

/** Why a message concerns the viewer, the strongest reason first. */
export type NotifyCause = 'direct' | 'mention' | 'keyword' | 'thread' | 'channel'

/** One rule that was applied to a message, and its result; a text for each in `notifications.trail`. */
export type NotifyStep =
  | {
      readonly rule:
        | 'own'
        | 'kind'
        | 'account-muted'
        | 'person-muted'
        | 'channel-muted'
        | 'digest'
        | 'watching'
        | 'read'
      readonly stops: boolean
    }
  | { readonly rule: 'cause'; readonly stops: boolean; readonly cause?: NotifyCause; readonly keyword?: string }
  | { readonly rule: 'level'; readonly stops: boolean; readonly level: NotifyLevel; readonly own: boolean }
  | {
      readonly rule: 'quiet'
      readonly stops: boolean
      readonly by: 'pause' | 'hours' | 'nothing'
      readonly allowed: boolean
    }
  | { readonly rule: 'late'; readonly stops: boolean }

/** Whether a message notified, why, and every rule that was applied. */
export type NotifyDecision = {
  readonly notifies: boolean
  /** Only quiet hours or a pause suppressed it: it is included in the summary afterwards. */
  readonly deferred: boolean
  readonly cause?: NotifyCause
  readonly steps: readonly NotifyStep[]
}

/** An entry of the notification log in the settings; contains no message text. */
export type NotifyRecord = NotifyDecision & {
  readonly messageId: MessageId
  readonly cid: Cid
  /** When it was decided, epoch milliseconds. */
  readonly at: number
  /** The outcome: shown, withdrawn, refused by the system, or shown in the app because the system cannot. */
  readonly outcome: 'not-shown' | 'shown' | 'in-app' | 'refused' | 'withdrawn'
}

/** Notifications by channel since the beginning of a day (epoch milliseconds of this device), most first. */
export type Interruptions = {
  readonly from: number
  readonly channels: readonly { readonly cid: Cid; readonly count: number }[]
}

/**
 * The result of a test notification, and what would suppress a real one now: `account`: this one is muted; `level`:
 * messages do not notify at all.
 */
export type NotifyProof = {
  /**
   * `shown`: confirmed by the system; `silence`: accepted by the system without confirmation, so its settings and focus
   * modes should be checked; `refused`: the system does not allow notifications; `in-app`: windows show them here.
   */
  readonly outcome: 'shown' | 'silence' | 'refused' | 'in-app'
  readonly quiet: Extract<NotifyStep, { rule: 'quiet' }>['by'] | 'account' | 'level'
}
