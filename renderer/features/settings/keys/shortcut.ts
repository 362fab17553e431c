import type { Chord } from '../../../lib/text/chords.ts'

/** One line of the sheet; several chords do the same. */
export type Shortcut = {
  readonly id: string
  readonly label: string
  /** As they are now. None: only the quick switcher reaches it. */
  readonly chords: readonly Chord[]
  /** Where it works: wherever the focus is, on a message, or in the field of the composer. */
  readonly place: 'window' | 'messages' | 'composer'
  /** May be given other keys. */
  readonly movable: boolean
  /** Has other keys than at first. */
  readonly changed: boolean
}

export type ShortcutGroup = { readonly id: string; readonly title: string; readonly shortcuts: readonly Shortcut[] }
