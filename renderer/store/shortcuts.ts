import { createContext, use } from 'react'

/** The keycaps of an action by its id, as they are now; none where it has no keys. Given by the registry of keys. */
export const ShortcutContext = createContext<(actionId: string) => readonly string[]>(() => [])

/** The keycaps of an action of the window (`sidebar`, `settings`), for tooltips. */
export const useShortcut = (actionId: string): readonly string[] => use(ShortcutContext)(actionId)
