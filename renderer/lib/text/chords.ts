/**
 * A key combination: `Mod+Shift+D`, `Alt+ArrowDown`, `F6`. `Mod` is Ctrl, on macOS ⌘. `G T`: two letters, one after the
 * other.
 */
export type Chord = string

export type Os = 'windows' | 'macos' | 'linux'

type KeyLike = {
  readonly key: string
  readonly code: string
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly isComposing?: boolean
  readonly keyCode?: number
}

type Parsed = {
  readonly key: string
  readonly mod: boolean
  readonly ctrl: boolean
  readonly alt: boolean
  readonly shift: boolean
}

export function parseChord(chord: Chord): Parsed {
  const parts = chord.split('+')
  const key = parts.at(-1) ?? ''
  return {
    key: key.length === 1 ? key.toLowerCase() : key,
    mod: parts.includes('Mod'),
    ctrl: parts.includes('Ctrl'),
    alt: parts.includes('Alt'),
    shift: parts.includes('Shift'),
  }
}

/**
 * Whether a key press matches a chord: by `event.key`, by `event.code` if the key is not Latin, digits with Shift always by
 * code. Never matches while an input method is composing.
 */
export function matches(event: KeyLike, chord: Chord, os: Os): boolean {
  if (event.isComposing === true || event.keyCode === 229) return false
  const wanted = parseChord(chord)
  const mac = os === 'macos'
  const ctrl = wanted.ctrl || (wanted.mod && !mac)
  const meta = wanted.mod && mac
  if (event.ctrlKey !== ctrl || event.metaKey !== meta || event.altKey !== wanted.alt) return false
  if (event.shiftKey !== wanted.shift && !isShiftedSymbol(wanted.key)) return false
  return keyOf(event) === wanted.key
}

/** `?` needs Shift on most layouts; the symbol itself is enough. */
const isShiftedSymbol = (key: string): boolean => key === '?'

/** The Latin letter, digit or name of a key press, whatever the layout. */
export function keyOf(event: Pick<KeyLike, 'key' | 'code' | 'shiftKey'>): string {
  if (event.shiftKey && event.code.startsWith('Digit')) return event.code.slice(5)
  // With Shift it is another character on most layouts; the chord names the key.
  if (event.shiftKey && event.code === 'Backslash') return '\\'
  if (event.key.length > 1) return event.key
  if (event.key.charCodeAt(0) < 0x80) return event.key.toLowerCase()
  if (event.code.startsWith('Key')) return event.code.slice(3).toLowerCase()
  return CODES[event.code] ?? event.key
}

const CODES: Readonly<Record<string, string>> = {
  Comma: ',',
  Period: '.',
  Slash: '/',
  BracketLeft: '[',
  BracketRight: ']',
  Backslash: '\\',
  Minus: '-',
  Equal: '=',
}

const MAC: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧', Enter: '↩' }
const OTHER: Readonly<Record<string, string>> = { Mod: 'Ctrl' }
const BOTH: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}

/** The keycaps of a chord on this system. */
export function keysOf(chord: Chord, os: Os): readonly string[] {
  return chord.split(/[+ ]/).map((part) => (os === 'macos' ? MAC[part] : OTHER[part]) ?? BOTH[part] ?? part)
}

const SPOKEN: Readonly<Record<string, string>> = {
  Ctrl: 'Control',
  '⌘': 'Meta',
  '⌃': 'Control',
  '⌥': 'Alt',
  '⇧': 'Shift',
}

/** Keycaps in the notation of `aria-keyshortcuts`; `undefined` if there are none. */
export const spokenKeys = (keys: readonly string[]): string | undefined =>
  keys.length === 0 ? undefined : keys.map((key) => SPOKEN[key] ?? key).join('+')

/** The event init of a chord, for dispatching it from the quick switcher. */
export function pressOf(chord: Chord, os: Os): KeyboardEventInit {
  const { key, mod, ctrl, alt, shift } = parseChord(chord)
  const mac = os === 'macos'
  return {
    key,
    code: /^[a-z]$/.test(key) ? `Key${key.toUpperCase()}` : key,
    ctrlKey: ctrl || (mod && !mac),
    metaKey: mod && mac,
    altKey: alt,
    shiftKey: shift,
  }
}

/** Whether a key press types a character. */
export function isPrintable(event: KeyLike): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing === true || event.keyCode === 229)
    return false
  return event.key !== ' ' && Array.from(event.key).length === 1
}

const MODIFIERS: ReadonlySet<string> = new Set(['Control', 'Shift', 'Alt', 'AltGraph', 'Meta', 'Fn', 'CapsLock'])

/** The chord of a key press; `undefined` while only modifiers are down or an input method is composing. */
export function chordOf(event: KeyLike, os: Os): Chord | undefined {
  if (MODIFIERS.has(event.key) || event.key === 'Dead' || event.isComposing === true || event.keyCode === 229)
    return undefined
  const mac = os === 'macos'
  const key = keyOf(event)
  const named = key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key
  const parts = [
    (mac ? event.metaKey : event.ctrlKey) && 'Mod',
    (mac ? event.ctrlKey : event.metaKey) && (mac ? 'Ctrl' : 'Meta'),
    event.altKey && 'Alt',
    event.shiftKey && 'Shift',
    named,
  ]
  return parts.filter((part) => part !== false).join('+')
}
