import type { MessageId } from '../lib/brand.ts'
import { DEFAULT_DESKTOP, type DesktopChoices, type LockMinutes } from './desktop/desktop.ts'
import type { LinkPreviewChoices } from './attachment.ts'
import type { NotificationChoices, SoundChoices } from './notification.ts'
import type { PlaceMemory } from './place.ts'
import type { SavedSearch, SearchOrder } from './search.ts'

/** Order of the conversations of a section: by newest message, unread first, by name, or custom. */
export type SidebarSort = 'recent' | 'unread' | 'name' | 'manual'

/** A section that the user created. */
export type SidebarFolder = { readonly id: string; readonly name: string }

/** `pinned`, `channels`, `direct` and `archived` always exist; a user's section is `folder:<id>`. */
export type SectionName = 'pinned' | 'channels' | 'direct' | 'archived' | `folder:${string}`

/** How a person arranged the sidebar of a workspace. Stored on this device. */
export type SidebarPlan = {
  /** From top to bottom. */
  readonly folders: readonly SidebarFolder[]
  /** Cid to the id of its folder. */
  readonly placed: Readonly<Record<string, string>>
  /** Cids of a section in custom order, by section. */
  readonly order: Readonly<Record<string, readonly string[]>>
  /** By section; a missing one uses {@link DEFAULT_SORT}. */
  readonly sort: Readonly<Record<string, SidebarSort>>
  /** Only conversations with something unread are listed. */
  readonly unreadOnly: boolean
}

/** The card “Getting started” of an own workspace. */
export type GuideState = {
  readonly closed: boolean
  /** Optional steps that the user skipped. */
  readonly skipped: readonly string[]
  /** Opened again by hand: it stays although everything is done. */
  readonly kept?: boolean
}

export const EMPTY_PLAN: SidebarPlan = { folders: [], placed: {}, order: {}, sort: {}, unreadOnly: false }

/** Scroll position of a list: the message at its top edge, its creation time, and its distance from the edge. */
export type LeftPlace = {
  readonly messageId: MessageId
  readonly at: number
  readonly offset: number
  readonly leftAt: number
}
/** By account and channel. Ids and times only. */
export type LeftPlaces = Readonly<Record<string, Readonly<Record<string, LeftPlace>>>>
/** Maximum per account; the least recently left is removed first. */
export const MAX_LEFT_PLACES = 30

export type Theme = 'system' | 'light' | 'dark' | 'hc-light' | 'hc-dark'
type Density = 'comfortable' | 'compact'
/** Accent colors; velvet is the default. */
export const ACCENTS = ['velvet', 'blue', 'violet', 'plum', 'moss'] as const
export type Accent = (typeof ACCENTS)[number]
/** The languages of the user interface, each complete. */
export const LANGUAGES = ['en', 'pl', 'ru'] as const
export type AppLanguage = (typeof LANGUAGES)[number]
type Language = 'system' | AppLanguage

/** `{me}`, `{name}`, `{date}` and `{time}` in the text are filled in where it is inserted. */
export type Snippet = { readonly name: string; readonly text: string }

/** Minutes without input after which the user can count as away; 0: never. */
export const AWAY_MINUTES = [0, 5, 10, 30, 60] as const
type AwayMinutes = (typeof AWAY_MINUTES)[number]

/** The user's settings. One definition; main validates it on disk and on the bridge. */
export type Settings = {
  readonly theme: Theme
  readonly density: Density
  /** High contrast themes have their own. */
  readonly accent: Accent
  /** Maximum width of message text: a readable line, or the whole pane. */
  readonly messageWidth: 'reading' | 'wide'
  /** Percent of the normal text size: 90 to 150. */
  readonly textScale: number
  readonly motion: 'system' | 'full' | 'reduced'
  readonly language: Language
  readonly clock: 'auto' | '12h' | '24h'
  /** The first day of a week in calendars and lists of days; `auto`: as the language and its region define it. */
  readonly weekStart: 'auto' | 'monday' | 'sunday' | 'saturday'
  /** How much of an arriving message a screen reader announces. */
  readonly speech: 'full' | 'brief' | 'text'
  /** How much of a message its name has; `brief` is for reading modes, which read the text in any case. */
  readonly rowNames: 'full' | 'brief'
  /** Single letters and digits act on a focused message or report; off: they are typed, or do nothing. */
  readonly letterKeys: boolean
  /** Custom key bindings, by id of the action; an empty list removes its keys. */
  readonly keys: Readonly<Record<string, readonly string[]>>
  readonly enterSends: boolean
  /** Up in an empty field edits the last own message. */
  readonly upEdits: boolean
  /** The formatting toolbar is shown above the field. */
  readonly formattingBar: boolean
  /** How long a notice stays; 0: until it is dismissed. */
  readonly noticeSeconds: 0 | 3 | 8
  /** How long a sent message is held back so that sending can be undone. */
  readonly undoSendSeconds: 0 | 5 | 10
  /** Text snippets, inserted by `;;name`. Stored on this device only. */
  readonly snippets: readonly Snippet[]
  readonly publishTyping: boolean
  /** Channels where typing is never published, by account (`sidebarKey`). */
  readonly quietTyping: Readonly<Record<string, readonly string[]>>
  /** Whether others see how far the viewer has read, and what was delivered to this device. */
  readonly publishReads: boolean
  readonly publishDelivery: boolean
  /** Whether others see that the viewer is online. */
  readonly publishPresence: boolean
  /** Minutes without input after which others see the viewer as away; 0: never. */
  readonly awayMinutes: AwayMinutes
  /** Others see the viewer as away until this is turned off, also while they use Parlor. */
  readonly awayByHand: boolean
  /** Channels read without receipts, by account (`sidebarKey`): neither others nor the server are notified. */
  readonly traceless: Readonly<Record<string, readonly string[]>>
  /** Channels whose images, videos and link previews are collapsed to one line, by account (`sidebarKey`). */
  readonly hiddenMedia: Readonly<Record<string, readonly string[]>>
  /** Photos, and pictures of videos and links, are blurred until clicked. */
  readonly blurMedia: boolean
  /** Minutes of inactivity before Parlor locks, if a PIN is set; 0: only by hand. */
  readonly lockMinutes: LockMinutes
  /** Unsent text is also stored on the server, for the viewer's other devices. */
  readonly syncDrafts: boolean
  /** Records the path of live locations on this device while they are shared. */
  readonly locationTracks: boolean
  /** Which links are previewed. */
  readonly linkPreviews: LinkPreviewChoices
  readonly sidebarWidth: number
  readonly panelWidth: number
  /** Width of the second of two channels side by side, in percent of both. */
  readonly splitShare: number
  readonly sidebarCollapsed: boolean
  readonly closedSections: readonly string[]
  /** How the sidebar was arranged, by workspace and person (`sidebarKey`). */
  readonly sidebars: Readonly<Record<string, SidebarPlan>>
  /** Saved searches in the viewer's order, by workspace and person (`sidebarKey`). */
  readonly savedSearches: Readonly<Record<string, readonly SavedSearch[]>>
  /** The order of search results that was chosen last. */
  readonly searchOrder: SearchOrder
  /** When an open channel becomes read: automatically, when it is left, or only by a command. */
  readonly autoRead: 'automatic' | 'on-leave' | 'by-hand'
  readonly notifications: NotificationChoices
  readonly desktop: DesktopChoices
  readonly places: PlaceMemory
  /** The invented people of the demo write, react and come and go. */
  readonly activePeople: boolean
  /** The card “Getting started”, by workspace and person (`sidebarKey`). */
  readonly gettingStarted: Readonly<Record<string, GuideState>>
  /** The channel that was open last, by key of the account. */
  readonly lastChannels: Readonly<Record<string, string>>
  /** Scroll positions of channels, by key of the account, then by channel. */
  readonly leftPlaces: LeftPlaces
  /** Messages older than this many days are removed from this device; 0: never. The server still has them. */
  readonly keepMessagesDays: number
  /**
   * Maximum disk usage of one account's history, in millions of bytes; the oldest messages are removed first. 0: no
   * limit.
   */
  readonly cacheBudgetMb: number
  /** Proxy for remote servers: the system's, none, `proxyUrl`, or the PAC script at `proxyUrl`. */
  readonly proxyMode: 'system' | 'none' | 'manual' | 'pac'
  readonly proxyUrl: string
  /** The user name for the proxy; the password is a secret and not among the settings. */
  readonly proxyUser: string
  /** Hosts that bypass the proxy, separated by commas. */
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
  digests: {},
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

/** Settings of a new profile, and until the engine has responded. Sizes in pixels. */
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
  rowNames: 'full',
  letterKeys: true,
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
  awayMinutes: 10,
  awayByHand: false,
  traceless: {},
  hiddenMedia: {},
  blurMedia: false,
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
  searchOrder: 'newest',
  autoRead: 'automatic',
  notifications: DEFAULT_NOTIFICATIONS,
  places: { saved: [], device: '' },
  activePeople: true,
  gettingStarted: {},
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
