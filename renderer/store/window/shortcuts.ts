import { createContext, use } from 'react'
import type { Chord } from '../../lib/text/chords.ts'

/** The keycaps of an action by its id, as they are now; none where it has no keys. Given by the registry of keys. */
export const ShortcutContext = createContext<(actionId: string) => readonly string[]>(() => [])

/** Where a list or a field carries out keys by itself. */
export type KeyPlace = 'messages' | 'composer'

/** The keys that do there now what these did at first; nothing where they were taken away. */
export const ChordContext = createContext<(place: KeyPlace, first: Chord) => Chord | undefined>(
  (_place, first) => first,
)

/** The keycaps of an action of the window (`sidebar`, `settings`), for tooltips. */
export const useShortcut = (actionId: string): readonly string[] => use(ShortcutContext)(actionId)

export const useChordNow = (): ((place: KeyPlace, first: Chord) => Chord | undefined) => use(ChordContext)
