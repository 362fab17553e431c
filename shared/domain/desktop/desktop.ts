import type { UpdateMode } from './policies.ts'
import type { AppLanguage, Theme } from '../settings.ts'

/** What was chosen about Parlor as a program of this computer; part of the settings. */
export type DesktopChoices = {
  /** The mark beside the clock. `auto`: as is usual on the system. */
  readonly tray: 'auto' | 'on' | 'off'
  /** What closing the last window does where there is such a mark. `auto`: as is usual, asked about once on Windows. */
  readonly closing: 'auto' | 'tray' | 'quit'
  readonly startAtLogin: boolean
  /** A start by the system shows no window. */
  readonly startHidden: boolean
  /** Brings Parlor to the front and away again from anywhere; written like the registry's keys, empty for none. */
  readonly shortcut: string
  /** Leaves one alone until tomorrow, or ends that; written the same way. */
  readonly quietShortcut: string
  /** Pictures and recordings of the screen leave Parlor's windows out. */
  readonly contentProtection: boolean
  /** Less moves while the computer runs on its battery. */
  readonly saveOnBattery: boolean
  /** Windows are drawn by the graphics card; off for those whose driver draws them wrongly. Holds from the next start. */
  readonly graphics: boolean
  /** Where downloads go without a question; empty: the system asks each time. */
  readonly downloadFolder: string
  /** Languages whose spelling is checked, as the host names them; none: nothing is checked. */
  readonly spelling: readonly string[]
  /** Those of them that are checked in a channel, where it is not all, by account (`sidebarKey`) and cid. */
  readonly spellingIn: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** What becomes of newer versions; `off`: only someone who asks hears of them. */
  readonly updates: UpdateMode
}

/** What keys that work anywhere can be chosen for. */
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

/** Stands for a language where the system chooses it. */
export const SYSTEM_SPELLING = 'system'

/** What this host can do of {@link DesktopChoices}, and how it stands now. */
export type DesktopState = {
  readonly can: Readonly<
    Record<'tray' | 'closing' | 'startup' | 'shortcut' | 'protection' | 'battery' | 'downloads', boolean>
  >
  /** Absent where the host checks no spelling. Without languages the system chooses them by what is written. */
  readonly spelling?: { readonly languages: readonly string[] }
  /** Absent where the host does not decide it. `inUse`: in this run. */
  readonly graphics?: { readonly inUse: boolean }
  /** Someone on this desktop shows such marks; without one the mark could not be seen. */
  readonly trayHasPlace: boolean
  /** Chosen keys that the system or another program holds. */
  readonly keysTaken: readonly GlobalKeys[]
}

/** The words of the page that stands in for one that stopped again and again. */
export const SAFE_WORDS = [
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

/** All that page needs, in one answer: it has neither the texts nor the store of the usual one. */
export type SafePage = {
  readonly text: Readonly<Record<(typeof SAFE_WORDS)[number], string>>
  readonly theme: Theme
  readonly language: AppLanguage
  /** Drafts and messages that wait, as a text to be read; empty when there are none. */
  readonly unsent: string
}
