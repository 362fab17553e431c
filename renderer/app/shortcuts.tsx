import { useCallback, type ReactNode } from 'react'
import { shallowEqual } from 'react-redux'
import type { Settings } from '#shared/domain/settings.ts'
import { keysOf, type Chord, type Os } from '../lib/chords.ts'
import { useAppSelector, useHost } from '../store/hooks.ts'
import { selectSettings } from '../store/selectors.ts'
import { ShortcutContext } from '../store/shortcuts.ts'
import { ACTIONS, chordsOf, type Action } from './actions.ts'

/** May be given other keys: what the window carries out by itself, wherever the focus is. */
export const isMovable = (action: Action): boolean => action.run !== undefined

/** The chords of an action as they are now: the person's own, else the registry's. */
export function chordsNow(action: Action, os: Os, keys: Settings['keys']): readonly Chord[] {
  return (isMovable(action) ? keys[action.id] : undefined) ?? chordsOf(action, os)
}

/** Gives every tooltip of the window the keys as they are now. */
export function ShortcutKeys({ children }: { readonly children: ReactNode }) {
  const { os } = useHost()
  const keys = useAppSelector((state) => selectSettings(state).keys, shallowEqual)
  const capsOf = useCallback(
    (id: string) => {
      const action = ACTIONS.find((each) => each.id === id)
      const chord = action === undefined ? undefined : chordsNow(action, os, keys)[0]
      return chord === undefined ? [] : keysOf(chord, os)
    },
    [os, keys],
  )
  return <ShortcutContext value={capsOf}>{children}</ShortcutContext>
}
