import type { Chord } from '../../../lib/text/chords.ts'

/** An action with its chords, all of which do the same. */
export type Shortcut = {
  readonly id: string
  readonly label: string
  /** Current chords. Empty: available in the quick switcher only. */
  readonly chords: readonly Chord[]
  /** Where it works: anywhere in the window, on a focused message, or in the composer's field. */
  readonly place: 'window' | 'messages' | 'composer'
  /** Can be changed. */
  readonly movable: boolean
  /** Differs from the default. */
  readonly changed: boolean
}

export type ShortcutGroup = { readonly id: string; readonly title: string; readonly shortcuts: readonly Shortcut[] }
