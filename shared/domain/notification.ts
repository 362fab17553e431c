import type { Cid, MessageId } from '#shared/lib/brand.ts'

/** What a channel may call for: every message, only what is meant for the viewer, or nothing. */
export type NotifyLevel = 'all' | 'mentions' | 'none'

/** Hours without notifications. Weekdays: 1 is Monday. A stretch that ends before it begins goes over midnight. */
export type QuietHours = {
  /** Tells it from the others in the settings. */
  readonly id: string
  readonly weekdays: readonly number[]
  /** Minutes of the local day. */
  readonly from: number
  readonly to: number
}

/** Sounds that Parlor makes itself, in its windows; `file`: the one that was chosen from a file. */
export const OWN_SOUNDS = ['knock', 'drop', 'chime', 'bell', 'file'] as const
export type OwnSound = (typeof OWN_SOUNDS)[number]
/** `system`: the one the system makes for any notification. */
export const SOUNDS = ['system', ...OWN_SOUNDS, 'none'] as const
export type SoundName = (typeof SOUNDS)[number]
/** `meant`: for the viewer: direct, a mention or a keyword. */
export type SoundKind = 'meant' | 'message' | 'reminder'
export type SoundChoices = {
  readonly [Kind in SoundKind]: SoundName
} & {
  /** Of Parlor's own sounds, 0 to 100. */
  readonly volume: number
  /** What the chosen file was called; empty: none is kept. */
  readonly file: string
}

/** What the user chose about notifications; part of the settings of this computer. */
export type NotificationChoices = {
  readonly level: NotifyLevel
  /** Channels with a level of their own: by workspace and person (`sidebarKey`), then by cid. */
  readonly levels: Readonly<Record<string, Readonly<Record<string, NotifyLevel>>>>
  /** Words that make any message meant for the viewer; compared folded, as search compares. */
  readonly keywords: readonly string[]
  /** How much others may read over one's shoulder: all, who and where, or only that there is something. */
  readonly preview: 'full' | 'sender' | 'nothing'
  /** The screen is being shown to others: until this is taken back, no one's words stand on it. */
  readonly presenting: boolean
  /** Off: none of the sounds is heard. */
  readonly sound: boolean
  readonly sounds: SoundChoices
  /** Whether the icon in the dock or taskbar moves with a notification: for a moment, or until Parlor is opened. */
  readonly flash: 'never' | 'once' | 'until-opened'
  /** What the number on the dock, taskbar and tray counts. */
  readonly badge: 'mentions' | 'all' | 'off'
  /** Nothing is told until then: epoch milliseconds of this computer; 0 or past: told. */
  readonly pausedUntil: number
  readonly quietHours: readonly QuietHours[]
  /** People who reach the viewer all the same while it is quiet: user ids. */
  readonly allowed: readonly string[]
}

/** Why a message is for the viewer, the strongest reason first. */
export type NotifyCause = 'direct' | 'mention' | 'keyword' | 'thread' | 'channel'

/** One question that was asked about a message, and what came of it; a text for each in `notifications.trail`. */
export type NotifyStep =
  | {
      readonly rule: 'own' | 'kind' | 'account-muted' | 'person-muted' | 'channel-muted' | 'watching' | 'read'
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

/** What became of a message: told or not, why, and every question on the way. */
export type NotifyDecision = {
  readonly notifies: boolean
  /** The message was for the viewer, and only the hour kept it back: it belongs in the summary at its end. */
  readonly keptBack: boolean
  readonly cause?: NotifyCause
  readonly steps: readonly NotifyStep[]
}

/** A line of the history that the settings show; holds no words of the message. */
export type NotifyRecord = NotifyDecision & {
  readonly messageId: MessageId
  readonly cid: Cid
  /** When it was decided, epoch milliseconds. */
  readonly at: number
  /** What the system made of it: shown, taken back, refused by it, or shown inside Parlor because it cannot. */
  readonly fate: 'not-told' | 'shown' | 'in-app' | 'refused' | 'withdrawn'
}

/**
 * How far a notification sent as a test came, and what would have kept a real one back now: `account`: this one is muted;
 * `level`: messages are not told at all.
 */
export type NotifyProof = {
  /**
   * `shown`: the system says so; `silence`: the system took it and said nothing, so look at its own settings and focus
   * modes; `refused`: the system does not allow Parlor any; `in-app`: here the windows show them.
   */
  readonly fate: 'shown' | 'silence' | 'refused' | 'in-app'
  readonly quiet: Extract<NotifyStep, { rule: 'quiet' }>['by'] | 'account' | 'level'
}
