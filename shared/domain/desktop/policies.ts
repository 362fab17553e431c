/** A server that the administrator of this device offers for sign-in. */
export type PresetServer = { readonly name: string; readonly url: string; readonly apiKey: string }

/** What notifications may show on a managed device; the same values as `NotificationChoices.preview`. */
export const NOTIFICATION_CONTENTS = ['full', 'sender', 'nothing'] as const
export const UPDATE_MODES = ['off', 'notify', 'auto'] as const
/** How updates are installed: not automatically, announced only, or downloaded in the background. */
export type UpdateMode = (typeof UPDATE_MODES)[number]

/**
 * What the administrator of this device has decided, by the names used in the policy files. Absent: the user decides.
 * Each one is described in docs/managed.md.
 */
export type Policies = {
  /** Who manages this device; shown with the managed settings. */
  readonly Organization?: string
  readonly ServerList?: readonly PresetServer[]
  readonly LockServerList?: boolean
  readonly AllowLocalServer?: boolean
  /** Whether a workspace on this device may be shared on the network. */
  readonly AllowLanExposure?: boolean
  /** `off` forbids updates. */
  readonly UpdateMode?: UpdateMode
  readonly UpdateChannel?: string
  /** Where updates are fetched from, instead of the address in the package. */
  readonly UpdateFeed?: string
  readonly DisableDevTools?: boolean
  /** Extensions with a dot, or MIME types, `image/*` too. */
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
  /** A PEM file of certificates trusted in addition to the default ones. */
  readonly ExtraCaFile?: string
}

export type PolicyName = keyof Policies

/** A location of policies where something was found. */
export type PolicySource = {
  /** A path or a registry key. */
  readonly from: string
  /** It is ignored as a whole: it cannot be read, or is not a policy file. */
  readonly problem?: 'unreadable' | 'not-policies'
}

/** A name in a source that was ignored. */
export type IgnoredPolicy = { readonly name: string; readonly from: string }

/** The policies in effect on this device, and what was ignored. */
export type Managed = {
  /** Weakest first: a later one overrides an earlier one. */
  readonly sources: readonly PolicySource[]
  readonly values: Policies
  /** The source of each value, by its name. */
  readonly origins: { readonly [Name in PolicyName]?: string }
  /** Names unknown to this version. */
  readonly unknown: readonly IgnoredPolicy[]
  /** Names whose value has the wrong type or is out of bounds. */
  readonly refused: readonly IgnoredPolicy[]
}
