import type { MessageId } from '../lib/brand.ts'
import { DEFAULT_DESKTOP, type DesktopChoices } from './desktop/desktop.ts'
import type { LinkPreviewChoices } from './link-preview.ts'
import type { LockMinutes } from './desktop/lock.ts'
import type { NotificationChoices, SoundChoices } from './notification.ts'
import type { PlaceMemory } from './place.ts'
import type { SavedSearch } from './saved-search.ts'
import type { SidebarPlan } from './sidebar.ts'

/** Where a list was left: the message at its top edge, when that was written, and how far from the edge it stood. */
export type LeftPlace = {
  readonly messageId: MessageId
  readonly at: number
  readonly offset: number
  readonly leftAt: number
}
/** By account and channel. Ids and times only. */
export type LeftPlaces = Readonly<Record<string, Readonly<Record<string, LeftPlace>>>>
/** Of one account; the one that was left first goes first. */
export const LEFT_PLACES_KEPT = 30

export type Theme = 'system' | 'light' | 'dark' | 'hc-light' | 'hc-dark'
type Density = 'comfortable' | 'compact'
/** Colours of what can be acted on; velvet is the house's own. */
export const ACCENTS = ['velvet', 'blue', 'violet', 'plum', 'moss'] as const
export type Accent = (typeof ACCENTS)[number]
/** The languages Parlor speaks, each complete. */
export const LANGUAGES = ['en', 'pl', 'ru'] as const
export type AppLanguage = (typeof LANGUAGES)[number]
type Language = 'system' | AppLanguage

/** `{me}`, `{name}`, `{date}` and `{time}` in the text are filled in where it is inserted. */
export type Snippet = { readonly name: string; readonly text: string }

/** What the user chose. One definition; main checks it on disk and on the bridge. */
export type Settings = {
  readonly theme: Theme
  readonly density: Density
  /** The high contrast themes keep their own. */
  readonly accent: Accent
  /** How wide the text of messages may run: a line that is easy to read, or the whole sheet. */
  readonly messageWidth: 'reading' | 'wide'
  /** Percent of the normal text size: 90 to 150. */
  readonly textScale: number
  readonly motion: 'system' | 'full' | 'reduced'
  readonly language: Language
  readonly clock: 'auto' | '12h' | '24h'
  /** The first day of a week in calendars and lists of days; by itself the language and its region decide. */
  readonly weekStart: 'auto' | 'monday' | 'sunday' | 'saturday'
  /** How much of an arriving message is spoken. */
  readonly speech: 'full' | 'brief' | 'text'
  /** Other key combinations than the registry's, by id of the action; an empty list takes the keys away. */
  readonly keys: Readonly<Record<string, readonly string[]>>
  readonly enterSends: boolean
  /** Up in an empty field edits the last own message. */
  readonly upEdits: boolean
  /** The row of formatting buttons stands over the field. */
  readonly formattingBar: boolean
  /** How long a notice stays; 0: until it is dismissed. */
  readonly noticeSeconds: 0 | 3 | 8
  /** A sent message is held back so long that sending can be undone. */
  readonly undoSendSeconds: 0 | 5 | 10
  /** Own texts, inserted by `;;name`. Kept on this computer only. */
  readonly snippets: readonly Snippet[]
  readonly publishTyping: boolean
  /** Channels where it is told to no one all the same, by account (`sidebarKey`). */
  readonly quietTyping: Readonly<Record<string, readonly string[]>>
  /** Others may see how far the viewer has read, and what has reached this computer. */
  readonly publishReads: boolean
  readonly publishDelivery: boolean
  /** Others may see whether the viewer is there. */
  readonly publishPresence: boolean
  /** Channels read without a trace, by account (`sidebarKey`): no one is told, the server neither. */
  readonly traceless: Readonly<Record<string, readonly string[]>>
  /** Channels whose pictures, videos and link previews are one line each, by account (`sidebarKey`). */
  readonly hiddenMedia: Readonly<Record<string, readonly string[]>>
  /** After so many minutes without a touch Parlor locks by itself, where there is a PIN; 0: only by hand. */
  readonly lockMinutes: LockMinutes
  /** Unsent words are also kept by the server, for the viewer's other computers. */
  readonly syncDrafts: boolean
  /** Where live places have been is kept on this computer while they are shared. */
  readonly locationTracks: boolean
  /** Which links are looked at. */
  readonly linkPreviews: LinkPreviewChoices
  readonly sidebarWidth: number
  readonly panelWidth: number
  /** Of the second of two channels side by side, in percent of the room for both. */
  readonly splitShare: number
  readonly sidebarCollapsed: boolean
  readonly closedSections: readonly string[]
  /** How the sidebar was arranged, by workspace and person (`sidebarKey`). */
  readonly sidebars: Readonly<Record<string, SidebarPlan>>
  /** Questions of the search kept under a name, in the viewer's order, by workspace and person (`sidebarKey`). */
  readonly savedSearches: Readonly<Record<string, readonly SavedSearch[]>>
  /** When a channel one looks at becomes read: by itself, when it is left, or only by a command. */
  readonly autoRead: 'automatic' | 'on-leave' | 'by-hand'
  readonly notifications: NotificationChoices
  readonly desktop: DesktopChoices
  readonly places: PlaceMemory
  /** The channel that was open last, by key of the account. */
  readonly lastChannels: Readonly<Record<string, string>>
  /** Where the lists of channels were left, by key of the account, then by channel. */
  readonly leftPlaces: LeftPlaces
  /** Messages older than this many days leave this computer; 0 keeps them. The server still has them. */
  readonly keepMessagesDays: number
  /** What the history of one account may take on the disk, in millions of bytes; the oldest leave first. 0: no limit. */
  readonly cacheBudgetMb: number
  /** The way to servers elsewhere: as the system says, straight, through `proxyUrl`, or by the script at `proxyUrl`. */
  readonly proxyMode: 'system' | 'none' | 'manual' | 'pac'
  readonly proxyUrl: string
  /** Who asks the proxy; the password is a secret and not among the settings. */
  readonly proxyUser: string
  /** Hosts reached directly all the same, separated by commas. */
  readonly proxyBypass: string
}

export const DEFAULT_SOUNDS: SoundChoices = {
  meant: 'system',
  message: 'system',
  reminder: 'system',
  volume: 70,
  file: '',
}

export const DEFAULT_NOTIFICATIONS: NotificationChoices = {
  level: 'mentions',
  levels: {},
  keywords: [],
  preview: 'full',
  presenting: false,
  sound: true,
  sounds: DEFAULT_SOUNDS,
  flash: 'once',
  badge: 'mentions',
  pausedUntil: 0,
  quietHours: [],
  allowed: [],
}

/** What a fresh profile starts with, and what stands before the engine has answered. Sizes: */
export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  density: 'comfortable',
  accent: 'velvet',
  messageWidth: 'reading',
  textScale: 100,
  motion: 'system',
  language: 'system',
  clock: 'auto',
  weekStart: 'auto',
  speech: 'full',
  keys: {},
  enterSends: true,
  upEdits: true,
  formattingBar: false,
  noticeSeconds: 3,
  undoSendSeconds: 0,
  snippets: [],
  publishTyping: true,
  quietTyping: {},
  publishReads: true,
  publishDelivery: true,
  publishPresence: true,
  traceless: {},
  hiddenMedia: {},
  lockMinutes: 5,
  syncDrafts: false,
  locationTracks: false,
  linkPreviews: { mode: 'ask', channels: {}, blocked: [] },
  sidebarWidth: 264,
  panelWidth: 392,
  splitShare: 50,
  sidebarCollapsed: false,
  closedSections: [],
  sidebars: {},
  savedSearches: {},
  autoRead: 'automatic',
  notifications: DEFAULT_NOTIFICATIONS,
  places: { saved: [], device: '' },
  lastChannels: {},
  leftPlaces: {},
  desktop: DEFAULT_DESKTOP,
  keepMessagesDays: 0,
  cacheBudgetMb: 2_000,
  proxyMode: 'system',
  proxyUrl: '',
  proxyUser: '',
  proxyBypass: '',
}
