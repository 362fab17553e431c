import { useCallback, type ReactNode } from 'react'
import { shallowEqual } from 'react-redux'
import type { Settings } from '#shared/domain/settings.ts'
import { keysOf, type Chord, type Os } from '../../lib/text/chords.ts'
import { useRegistry, type RegisteredAction } from '../../registry/registry.ts'
import { useAppSelector, useHost } from '../../store/hooks.ts'
import { selectSettings } from '../../store/selectors.ts'
import { ChordContext, ShortcutContext, type KeyPlace } from '../../store/window/shortcuts.ts'
import { chordsOf, firstChordOf } from './custom-keys.ts'

/** Whether the keys can be changed: actions run by the window, and those a list or field handles at a letter. */
export const isMovable = (action: RegisteredAction, os: Os): boolean =>
  action.run !== undefined || firstChordOf(action, os) !== undefined

/** The chords of an action in use: the user's custom ones, else the defaults. */
export function chordsNow(action: RegisteredAction, os: Os, keys: Settings['keys']): readonly Chord[] {
  return (isMovable(action, os) ? keys[action.id] : undefined) ?? chordsOf(action, os)
}

/** Provides the keys in use to every tooltip of the window. */
export function ShortcutKeys({ children }: { readonly children: ReactNode }) {
  const { os } = useHost()
  const { actions } = useRegistry()
  const keys = useAppSelector((state) => selectSettings(state).keys, shallowEqual)
  const capsOf = useCallback(
    (id: string) => {
      const action = actions.find((each) => each.id === id)
      const chord = action === undefined ? undefined : chordsNow(action, os, keys)[0]
      return chord === undefined ? [] : keysOf(chord, os)
    },
    [os, keys, actions],
  )
  const chordNow = useCallback(
    (place: KeyPlace, first: Chord) => {
      const action = actions.find((each) => each.group === place && firstChordOf(each, os) === first)
      return action === undefined ? first : chordsNow(action, os, keys)[0]
    },
    [os, keys, actions],
  )
  return (
    <ShortcutContext value={capsOf}>
      <ChordContext value={chordNow}>{children}</ChordContext>
    </ShortcutContext>
  )
}
