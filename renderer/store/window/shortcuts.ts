import { createContext, use } from 'react'
import type { Chord } from '../../lib/text/chords.ts'

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

/** Returns the keycaps in use of an action; empty if it has no shortcut. */
export const ShortcutContext = createContext<(actionId: string) => readonly string[]>(() => [])

/** Where a list or a field handles keys itself. */
export type KeyPlace = 'messages' | 'composer'

/** Returns the chord in use for a default chord; `undefined` if it has none. */
export const ChordContext = createContext<(place: KeyPlace, first: Chord) => Chord | undefined>(
  (_place, first) => first,
)

/** The keycaps of an action of the window (`sidebar`, `settings`), for tooltips. */
export const useShortcut = (actionId: string): readonly string[] => use(ShortcutContext)(actionId)

export const useChordNow = (): ((place: KeyPlace, first: Chord) => Chord | undefined) => use(ChordContext)
