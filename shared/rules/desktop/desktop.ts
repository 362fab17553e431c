import type { DesktopChoices } from '../../domain/desktop/desktop.ts'
import type { Cid } from '../../lib/brand.ts'

type Os = 'windows' | 'macos' | 'linux'

/** On by default on Windows only: macOS has the dock, and many Linux desktops have no tray. */
export const wantsTray = ({ tray }: Pick<DesktopChoices, 'tray'>, os: Os): boolean =>
  tray === 'on' || (tray === 'auto' && os === 'windows')

/** `stay`: the program stays in the dock without a window, as is usual on macOS. */
export type Closing = 'tray' | 'quit' | 'ask' | 'stay'

/** What closing the last window does. Without a visible tray icon the user could not reopen Parlor, so it quits. */
export function closeBehavior({ closing }: Pick<DesktopChoices, 'closing'>, os: Os, trayVisible: boolean): Closing {
  if (os === 'macos') return 'stay'
  if (!trayVisible) return 'quit'
  if (closing === 'auto') return os === 'windows' ? 'ask' : 'quit'
  return closing
}

const KEY_NAMES: Readonly<Record<string, string>> = {
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Enter: 'Return',
}
const FUNCTION_KEY = /^F([1-9]|1[0-9]|2[0-4])$/
const NAMED = /^(?:Home|End|PageUp|PageDown|Insert|Space)$/

/**
 * A global shortcut in Electron's format; `undefined` for combinations that would conflict with other programs: Ctrl
 * with a letter alone is not enough, and Alt with one types letters.
 */
export function globalAccelerator(chord: string): string | undefined {
  const parts = chord.split('+')
  const key = parts.at(-1) ?? ''
  const held = new Set(parts.slice(0, -1))
  const isCharacter = /^[A-Za-z0-9]$/.test(key)
  const isNamed = FUNCTION_KEY.test(key) || NAMED.test(key) || Object.hasOwn(KEY_NAMES, key)
  if (!isCharacter && !isNamed) return undefined
  if (isCharacter && held.has('Alt')) return undefined
  const enough = FUNCTION_KEY.test(key) ? 1 : 2
  if (held.size < enough) return undefined
  const modifiers = [
    ...(held.has('Mod') ? ['CommandOrControl'] : []),
    ...(held.has('Ctrl') ? ['Control'] : []),
    ...(held.has('Alt') ? ['Alt'] : []),
    ...(held.has('Shift') ? ['Shift'] : []),
  ]
  return [...modifiers, isCharacter ? key.toUpperCase() : (KEY_NAMES[key] ?? key)].join('+')
}

/** The channel the user is writing in: the account (`sidebarKey`) and the cid. */
export type WritingPlace = { readonly account: string; readonly cid: Cid }

/** Spell checking languages of a channel: its own that are still chosen globally, otherwise all chosen ones. */
export function spellingAt(
  { spelling, spellingIn }: Pick<DesktopChoices, 'spelling' | 'spellingIn'>,
  place: WritingPlace | undefined,
): readonly string[] {
  const own = place && spellingIn[place.account]?.[place.cid]
  return own === undefined ? spelling : spelling.filter((language) => own.includes(language))
}

/** The exceptions with one language changed in one channel; a channel with all languages is not an exception. */
export function withSpellingIn(
  choices: Pick<DesktopChoices, 'spelling' | 'spellingIn'>,
  place: WritingPlace,
  language: string,
  on: boolean,
): DesktopChoices['spellingIn'] {
  const now = spellingAt(choices, place)
  const next = choices.spelling.filter((each) => (each === language ? on : now.includes(each)))
  const { [place.cid]: _before, ...others } = choices.spellingIn[place.account] ?? {}
  const own = next.length === choices.spelling.length ? others : { ...others, [place.cid]: next }
  return { ...choices.spellingIn, [place.account]: own }
}

/** Identifies a settings file, which older versions exported, so that no other JSON is imported. */
export const SETTINGS_FILE = 'parlor-settings'
export const SETTINGS_FILE_VERSION = 1
