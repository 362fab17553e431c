import type { DesktopChoices } from '#shared/domain/desktop/desktop.ts'
import type { Cid } from '#shared/lib/brand.ts'

type Os = 'windows' | 'macos' | 'linux'

/** Usual on Windows only: macOS has the dock, and many desktops of Linux have no place for it. */
export const wantsTray = ({ tray }: Pick<DesktopChoices, 'tray'>, os: Os): boolean =>
  tray === 'on' || (tray === 'auto' && os === 'windows')

/** `stay`: the program stays in the dock without a window, as programs of macOS do. */
export type Closing = 'tray' | 'quit' | 'ask' | 'stay'

/**
 * What closing the last window does. Without a mark that can be seen no one would find Parlor again, so it ends then.
 */
export function whatClosingDoes({ closing }: Pick<DesktopChoices, 'closing'>, os: Os, trayStands: boolean): Closing {
  if (os === 'macos') return 'stay'
  if (!trayStands) return 'quit'
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
 * Keys that work anywhere, as Electron writes them; `undefined` for keys that must not: they would be taken from every
 * other program. So Ctrl alone with a letter is not enough, and Alt with one types letters.
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

/** Where someone writes: the account (`sidebarKey`) and the channel. */
export type WritingPlace = { readonly account: string; readonly cid: Cid }

/** Languages that are checked there: those of the channel as far as they are chosen at all, else all that are. */
export function spellingAt(
  { spelling, spellingIn }: Pick<DesktopChoices, 'spelling' | 'spellingIn'>,
  place: WritingPlace | undefined,
): readonly string[] {
  const own = place && spellingIn[place.account]?.[place.cid]
  return own === undefined ? spelling : spelling.filter((language) => own.includes(language))
}

/** The choices with another answer for one language in one channel; all of them is no exception. */
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
