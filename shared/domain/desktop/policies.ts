/** A server that anyone who manages this computer offers to sign in to. */
export type PresetServer = { readonly name: string; readonly url: string; readonly apiKey: string }

/** What the notifications of a managed computer may show; the same words as `NotificationChoices.preview`. */
export const NOTIFICATION_CONTENTS = ['full', 'sender', 'nothing'] as const
export const UPDATE_MODES = ['off', 'notify', 'auto'] as const
/** How newer versions come: not at all by themselves, told of, or fetched in the background. */
export type UpdateMode = (typeof UPDATE_MODES)[number]

/**
 * What anyone who manages this computer has decided, under the names that stand in the files. Absent: the person decides. What each one does: docs/managed.md.
 */
export type Policies = {
  /** Who manages this computer, as it is told beside what they decided. */
  readonly Organization?: string
  readonly ServerList?: readonly PresetServer[]
  readonly LockServerList?: boolean
  readonly AllowLocalServer?: boolean
  readonly AllowLanExposure?: boolean
  /** `off` here forbids them. */
  readonly UpdateMode?: UpdateMode
  readonly UpdateChannel?: string
  /** Where newer versions are fetched from, in place of the address the package names. */
  readonly UpdateFeed?: string
  readonly DisableDevTools?: boolean
  /** Endings with a dot, or MIME types, `image/*` too. */
  readonly AllowedAttachmentTypes?: readonly string[]
  /** Bytes. */
  readonly MaxUploadSize?: number
  readonly AllowLinkPreviews?: boolean
  readonly AllowGeolocation?: boolean
  readonly AllowMicrophone?: boolean
  readonly NotificationContent?: (typeof NOTIFICATION_CONTENTS)[number]
  /** Days; 0: no limit. */
  readonly CacheRetentionDays?: number
  readonly RequireEncryptedSecrets?: boolean
  readonly AllowExternalLinks?: boolean
  /** A file of certificates in PEM that are trusted besides the usual ones. */
  readonly ExtraCaFile?: string
  readonly DiagnosticsUpload?: boolean
}

export type PolicyName = keyof Policies

/** Where policies were looked for and something was found. */
export type PolicySource = {
  /** A path or a key of the registry. */
  readonly from: string
  /** Nothing of it holds: it cannot be read, or is not what such a file is. */
  readonly problem?: 'unreadable' | 'not-policies'
}

/** The policies of this computer as they hold, and what of them does not. */
export type Managed = {
  /** Weakest first: what a later one says beats an earlier one. */
  readonly sources: readonly PolicySource[]
  readonly values: Policies
  /** Names that mean nothing to this version. */
  readonly unknown: readonly string[]
  /** Names whose value is of the wrong kind or out of its bounds. */
  readonly refused: readonly string[]
}
