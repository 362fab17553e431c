import type { Settings } from '#shared/domain/settings.ts'
import { matches, pressOf, type Chord, type Os } from '../../lib/text/chords.ts'
import type { KeyPlace } from '../../store/window/shortcuts.ts'
import { ACTIONS, chordsOf, type Action } from '../actions/actions.ts'

/**
 * Keys of the list of messages and of the composer, which carry them out by themselves: a press of the person's own keys
 * reaches them as the press they know, so that they need not know of any other.
 */

/** Editing belongs to the system everywhere. */
const STAYS: ReadonlySet<string> = new Set(['copy', 'undoHeld'])
/** A letter, alone or with Ctrl and Shift: arrows, Enter, Escape and Delete stay what they are. */
const ONE_LETTER = /^(?:Mod\+)?(?:Shift\+)?[A-Z]$/

/** The one chord of an action that a list or field carries out, where it may be another. */
export function firstChordOf(action: Action, os: Os): Chord | undefined {
  const [first, ...more] = chordsOf(action, os)
  if (action.run !== undefined || first === undefined || more.length > 0 || STAYS.has(action.id)) return undefined
  return ONE_LETTER.test(first) ? first : undefined
}

/** Which of the places has the focus. A field in a message is a field. */
export function placeOf(target: EventTarget | null): KeyPlace | undefined {
  if (!(target instanceof Element)) return undefined
  if (target.closest('[data-composer]') !== null) return 'composer'
  if (target.closest('input, textarea, select, [contenteditable], [aria-modal="true"], [role="menu"]') !== null)
    return undefined
  return target.closest('[data-message-id]') === null ? undefined : 'messages'
}

type Meant =
  /** To be heard as this press. */
  | { readonly kind: 'other'; readonly press: KeyboardEventInit }
  /** The keys were taken from what they did there. */
  | { readonly kind: 'nothing' }

/** What a press means in a place where the person chose other keys; `undefined`: what it always meant. */
export function meantBy(event: KeyboardEvent, place: KeyPlace, os: Os, keys: Settings['keys']): Meant | undefined {
  const moved = ACTIONS.flatMap((action) => {
    const first = action.group === place ? firstChordOf(action, os) : undefined
    const own = keys[action.id]
    return first === undefined || own === undefined ? [] : [{ first, own }]
  })
  const wanted = moved.find(({ own }) => own.some((chord) => matches(event, chord, os)))
  if (wanted) return { kind: 'other', press: pressOf(wanted.first, os) }
  return moved.some(({ first }) => matches(event, first, os)) ? { kind: 'nothing' } : undefined
}
