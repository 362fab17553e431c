import type { Settings } from '#shared/domain/settings.ts'
import type { RegisteredAction } from '../../registry/registry.ts'
import { matches, pressOf, type Chord, type Os } from '../../lib/text/chords.ts'
import type { KeyPlace } from '../../store/window/shortcuts.ts'

/**
 * Custom keys for the message list and the composer. They handle only the default keys: a press of a custom key reaches
 * them as a press of the default one.
 */

/** Editing keys of the system cannot be changed. */
const STAYS: ReadonlySet<string> = new Set(['copy', 'undoHeld'])
/** A letter, alone or with Ctrl and Shift: arrows, Enter, Escape and Delete cannot be changed. */
const ONE_LETTER = /^(?:Mod\+)?(?:Shift\+)?[A-Z]$/

/** The default chords of an action on this system. */
export const chordsOf = ({ chords, macChords = chords }: RegisteredAction, os: Os): readonly Chord[] =>
  os === 'macos' ? macChords : chords

/** The default chord of an action handled by a list or field, if it can be changed. */
export function firstChordOf(action: RegisteredAction, os: Os): Chord | undefined {
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
