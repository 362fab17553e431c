import { createContext, use } from 'react'
import type { Chord } from '../../lib/text/chords.ts'

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
