import { parseChord, type Chord } from '../../../lib/text/chords.ts'
import type { Shortcut } from './shortcut.ts'

type Refusal = 'types' | 'alt' | 'field' | 'editing' | 'system'

/** Whether an action may have a shortcut. */
export type Verdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'refused'; readonly why: Refusal }
  /** Used by another action; `movable`: can be reassigned. */
  | { readonly kind: 'taken'; readonly by: Shortcut; readonly movable: boolean }

const LETTER = /^[a-z]$/
const FUNCTION_KEY = /^F([1-9]|1[0-9]|2[0-4])$/
/** Keys that work inside fields, lists and menus, also with Shift. */
const IN_FIELDS: ReadonlySet<string> = new Set(
  'Enter Escape Tab Space Backspace Delete Insert ContextMenu ArrowUp ArrowDown ArrowLeft ArrowRight Home End PageUp PageDown'.split(
    ' ',
  ),
)
/** Keys that work there with Ctrl too: send, line break, select. */
const ALWAYS_IN_FIELDS: ReadonlySet<string> = new Set(['Enter', 'Tab', 'Space'])
const EDITING: ReadonlySet<string> = new Set([
  'Mod+A',
  'Mod+C',
  'Mod+V',
  'Mod+X',
  'Mod+Y',
  'Mod+Z',
  'Mod+Shift+Z',
  'Mod+Shift+V',
])
/** Reserved by system or browser: closing, reloading, tabs, zoom, developer tools. */
const OF_SYSTEM: ReadonlySet<string> = new Set(
  'Mod+W Mod+Q Mod+R Mod+T Mod+Shift+W Mod+Shift+R Mod+0 Mod+- Mod+= Alt+F4 F5 F11 F12'.split(' '),
)

/** Checks a shortcut for an action. */
export function judge(chord: Chord, own: Pick<Shortcut, 'id' | 'place'>, all: readonly Shortcut[]): Verdict {
  const why = refusalOf(chord, own.place)
  if (why !== undefined) return { kind: 'refused', why }
  const by = all.find(
    (shortcut) =>
      shortcut.id !== own.id && meet(shortcut.place, own.place) && shortcut.chords.some((held) => same(held, chord)),
  )
  return by === undefined ? { kind: 'free' } : { kind: 'taken', by, movable: by.movable }
}

/** Shortcuts of messages and of the composer do not conflict; those of the window conflict with both. */
const meet = (a: Shortcut['place'], b: Shortcut['place']): boolean => a === b || a === 'window' || b === 'window'

function refusalOf(chord: Chord, place: Shortcut['place']): Refusal | undefined {
  const { key, mod, ctrl, alt } = parseChord(chord)
  const types = key.length <= 1
  if (chord.includes('Meta+') || OF_SYSTEM.has(chord)) return 'system'
  if (alt && types) return 'alt'
  if (EDITING.has(chord)) return 'editing'
  if (ALWAYS_IN_FIELDS.has(key)) return 'field'
  if (mod || ctrl || alt || FUNCTION_KEY.test(key)) return undefined
  // A letter alone is allowed only for actions on a focused message, where nothing is typed.
  if (types) return place === 'messages' && LETTER.test(key) ? undefined : 'types'
  return IN_FIELDS.has(key) ? 'field' : 'system'
}

/** Whether two chords are the same keys. */
export const same = (a: Chord, b: Chord): boolean => JSON.stringify(parseChord(a)) === JSON.stringify(parseChord(b))
