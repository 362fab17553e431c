import type { AppLanguage, Theme } from '../settings.ts'
import type { UpdateMode } from './policies.ts'

/** The user's choices about desktop integration; part of the settings. */
export type DesktopChoices = {
  /** Tray icon. `auto`: the convention of the system. */
  readonly tray: 'auto' | 'on' | 'off'
  /**
   * What closing the last window does if there is a tray icon. `auto`: the convention of the system, asked once on
   * Windows.
   */
  readonly closing: 'auto' | 'tray' | 'quit'
  readonly startAtLogin: boolean
  /** A start at login shows no window. */
  readonly startHidden: boolean
  /** Global shortcut that shows and hides Parlor; written like the registry's keys, empty for none. */
  readonly shortcut: string
  /** Global shortcut for Do Not Disturb until tomorrow; written the same way. */
  readonly quietShortcut: string
  /** Hides Parlor's windows in screenshots and screen recordings. */
  readonly contentProtection: boolean
  /** Reduces animation on battery power. */
  readonly saveOnBattery: boolean
  /** Hardware acceleration; off for drivers that render wrongly. Takes effect at the next start. */
  readonly graphics: boolean
  /** Where downloads are saved without asking; empty: the system asks each time. */
  readonly downloadFolder: string
  /** Spell checking languages, as the host names them; empty: no spell checking. */
  readonly spelling: readonly string[]
  /** The languages of channels that do not use all of them, by account (`sidebarKey`) and cid. */
  readonly spellingIn: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** How updates are handled; `off`: only on request. */
  readonly updates: UpdateMode
}

/** The settings that hold a global shortcut. */
export const GLOBAL_KEYS = ['shortcut', 'quietShortcut'] as const satisfies readonly (keyof DesktopChoices)[]
export type GlobalKeys = (typeof GLOBAL_KEYS)[number]

export const DEFAULT_DESKTOP: DesktopChoices = {
  tray: 'auto',
  closing: 'auto',
  startAtLogin: false,
  startHidden: true,
  shortcut: '',
  quietShortcut: '',
  contentProtection: false,
  saveOnBattery: true,
  graphics: true,
  downloadFolder: '',
  spelling: [],
  spellingIn: {},
  updates: 'auto',
}

/** A language placeholder where the system chooses it. */
export const SYSTEM_SPELLING = 'system'

/** What this host supports of {@link DesktopChoices}, and the current state. */
export type DesktopState = {
  readonly can: Readonly<
    Record<'tray' | 'closing' | 'startup' | 'shortcut' | 'protection' | 'battery' | 'downloads', boolean>
  >
  /** Absent if the host has no spell checker. Without languages the system detects them from the text. */
  readonly spelling?: { readonly languages: readonly string[] }
  /** Absent if the host does not control it. `inUse`: in this run. */
  readonly graphics?: { readonly inUse: boolean }
  /** This desktop shows tray icons; otherwise the icon would not be visible. */
  readonly trayHasPlace: boolean
  /** Chosen shortcuts that the system or another program already uses. */
  readonly keysTaken: readonly GlobalKeys[]
}

/** The texts of the page that replaces one that crashed repeatedly. */
export const SAFE_TEXT_KEYS = [
  'title',
  'text',
  'again',
  'save',
  'saved',
  'nothing',
  'copy',
  'copied',
  'failed',
  'quit',
] as const

/** All that page needs in one response: it has neither the texts nor the store of the usual one. */
export type SafePage = {
  readonly text: Readonly<Record<(typeof SAFE_TEXT_KEYS)[number], string>>
  readonly theme: Theme
  readonly language: AppLanguage
  /** Drafts and queued messages as readable text; empty if there are none. */
  readonly unsent: string
}

/** A file saved since Parlor was started. `broken`: it stopped, or is shorter than announced. */
export type Download = {
  readonly id: string
  readonly name: string
  readonly state: 'running' | 'done' | 'broken'
  readonly receivedBytes: number
  /** 0 while unknown. */
  readonly totalBytes: number
  /** When it was requested. Epoch milliseconds. */
  readonly at: number
}

/** What a deep link may open. A link never changes a setting, never sends, never loads an address. */
export type DeepLink =
  | { readonly route: 'channel'; readonly workspace: string; readonly cid: string }
  | { readonly route: 'message'; readonly workspace: string; readonly cid: string; readonly messageId: string }
  | { readonly route: 'user'; readonly workspace: string; readonly userId: string }
  | { readonly route: 'invite'; readonly workspace: string; readonly code: string }
  /** A page of the settings, by its name. */
  | { readonly route: 'settings'; readonly section: string }
  /** A new message; the user chooses the recipients. */
  | { readonly route: 'new' }
  /** Text to search for. */
  | { readonly route: 'search'; readonly text: string }
  /** The whole link of an invitation to a shared workspace. */
  | { readonly route: 'join'; readonly text: string }

/** The distinguishing fields of a certificate. Times: epoch milliseconds. */
export type Certificate = {
  /** SHA-256 of the certificate: pairs of hexadecimal digits with colons. */
  readonly fingerprint: string
  /** The same for a root authority. */
  readonly subject: string
  readonly issuer: string
  readonly validFrom: number
  readonly validTo: number
}

/** An authority trusted in addition to the default ones. */
export type TrustedCertificate = Certificate & { readonly by: 'person' | 'policy' }

/** A client certificate for one server and no other. */
export type ClientCertificate = Certificate & { readonly host: string }

/** The app lock: a PIN that windows ask for. */
export type Lock = {
  /** A PIN is set. */
  readonly on: boolean
  /** Windows show only the PIN field. */
  readonly locked: boolean
  /** Attempts are refused until then after wrong PINs. Epoch milliseconds. */
  readonly waitUntil?: number
}

/** Characters of a PIN; letters are allowed. */
export const PIN_LENGTH = { least: 4, most: 64 } as const

/** Minutes of inactivity before Parlor locks; 0: only by hand, and at each start. */
export const LOCK_MINUTES = [0, 1, 5, 15, 60] as const
export type LockMinutes = (typeof LOCK_MINUTES)[number]

/** Why this Parlor never checks for updates. `files`: it runs from source; `unpacked`: from an archive. */
export type NoUpdates = 'files' | 'unpacked' | 'no-feed' | 'unsigned' | 'forbidden'

/**
 * rest: no newer version known. looking: checking the feed. found: there is a newer version. fetching: downloading it
 * in the background. ready: downloaded and verified. leaving: Parlor quits to start the new version.
 */
type UpdateStage = 'rest' | 'looking' | 'found' | 'fetching' | 'ready' | 'leaving'

/** The state of updates, as windows show it. */
export type UpdateState = {
  /** Absent where updates are supported. */
  readonly unable?: NoUpdates
  readonly stage: UpdateStage
  /** From `found` on. */
  readonly version?: string
  /** Download progress: 0 to 1. */
  readonly share?: number
  /** When the feed last responded. Epoch milliseconds. */
  readonly lookedAt?: number
  /** Why the last check or download failed: a code with a text. */
  readonly failure?: string
  /** Windows show a notice about it. */
  readonly announced: boolean
  /** The newest version of the feed, which could not be installed or did not start: it is not offered again. */
  readonly refused?: string
}

export const NOTHING_NEWER: UpdateState = { stage: 'rest', announced: false }
