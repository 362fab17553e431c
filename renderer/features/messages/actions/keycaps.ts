import { keysOf } from '../../../lib/text/chords.ts'
import { useHost } from '../../../store/hooks.ts'
import { useChordNow } from '../../../store/window/shortcuts.ts'
import { ACTIONS, type ActionId } from './actions.ts'

/** Shortcut that a browser reserves. */
const BROWSERS_OWN = 'Mod+Shift+C'

/** Current keycaps of an action; empty if the key cannot reach the page. */
export function useKeycaps(): (action: ActionId) => readonly string[] {
  const { os, kind } = useHost()
  const chordNow = useChordNow()
  return (action) => {
    const first = ACTIONS[action].chord
    const chord = first && chordNow('messages', first)
    if (chord === undefined || (chord === BROWSERS_OWN && kind === 'browser')) return []
    if (chord === 'Delete') return [os === 'macos' ? '⌫' : 'Del']
    return keysOf(chord, os)
  }
}
