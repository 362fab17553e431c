import { useCallback, type ReactNode } from 'react'
import { shallowEqual } from 'react-redux'
import type { Settings } from '#shared/domain/settings.ts'
import { keysOf, type Chord, type Os, matches, pressOf } from '../../lib/text/chords.ts'
import { useRegistry, type RegisteredAction } from '../../registry/registry.ts'
import { useAppSelector, useHost } from '../../store/hooks.ts'
import { selectSettings } from '../../store/selectors.ts'
import { ChordContext, ShortcutContext, type KeyPlace } from '../../store/window/shortcuts.ts'

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

/**
 * Custom keys for the message list and the composer. They handle only the default keys: a press of a custom key reaches
 * them as a press of the default one.
 */

/** Editing keys of the system cannot be changed. */
const STAYS: ReadonlySet<string> = new Set(['copy', 'undoHeld'])
/** A letter, alone or with Ctrl and Shift: arrows, Enter, Escape and Delete cannot be changed. */
const ONE_LETTER = /^(?:Mod\+)?(?:Shift\+)?[A-Z]$/

/** The default chords of an action on this system. */
const chordsOf = ({ chords, macChords = chords }: RegisteredAction, os: Os): readonly Chord[] =>
  os === 'macos' ? macChords : chords

/** The default chord of an action handled by a list or field, if it can be changed. */
function firstChordOf(action: RegisteredAction, os: Os): Chord | undefined {
  const [first, ...more] = chordsOf(action, os)
  if (action.run !== undefined || first === undefined || more.length > 0 || STAYS.has(action.id)) return undefined
  return ONE_LETTER.test(first) ? first : undefined
}

/** Where the focus is. A field inside a message is not the message. */
export function placeOf(target: EventTarget | null): KeyPlace | undefined {
  if (!(target instanceof Element)) return undefined
  if (target.closest('[data-composer]') !== null) return 'composer'
  if (target.closest('input, textarea, select, [contenteditable], dialog, [popover]') !== null) return undefined
  return target.closest('[data-message-id]') === null ? undefined : 'messages'
}

type KeyMeaning =
  /** To be handled as this press. */
  | { readonly kind: 'other'; readonly press: KeyboardEventInit }
  /** A default key whose action has other keys now. */
  | { readonly kind: 'nothing' }

/** What a press means where keys were changed; `undefined`: its default meaning. */
export function keyMeaning(
  actions: readonly RegisteredAction[],
  event: KeyboardEvent,
  place: KeyPlace,
  os: Os,
  keys: Settings['keys'],
): KeyMeaning | undefined {
  const moved = actions.flatMap((action) => {
    const first = action.group === place ? firstChordOf(action, os) : undefined
    const own = keys[action.id]
    return first === undefined || own === undefined ? [] : [{ first, own }]
  })
  const wanted = moved.find(({ own }) => own.some((chord) => matches(event, chord, os)))
  if (wanted) return { kind: 'other', press: pressOf(wanted.first, os) }
  return moved.some(({ first }) => matches(event, first, os)) ? { kind: 'nothing' } : undefined
}
