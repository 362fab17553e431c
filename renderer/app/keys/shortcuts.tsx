import { useCallback, type ReactNode, createContext, use } from 'react'
import type { Settings } from '#shared/domain/settings.ts'
import { keysOf, type Chord, type Os, matches, pressOf } from '../../lib/text/chords.ts'
import { useRegistry, type RegisteredAction } from '../../registry/feature.ts'
import { useHost, useAppStore, useSetting, useAppServices } from '../../store/hooks.ts'
import { useTexts } from '../../i18n/index.ts'
import type { ActionId } from '../../store/window/kinds.ts'
import type { IconName } from '../../ui/Icon/Icon.tsx'

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
const ShortcutContext = createContext<(actionId: string) => readonly string[]>(() => [])

/** Where a list or a field handles keys itself. */
type KeyPlace = 'messages' | 'composer'

/** Returns the chord in use for a default chord; `undefined` if it has none. */
const ChordContext = createContext<(place: KeyPlace, first: Chord) => Chord | undefined>((_place, first) => first)

/** The keycaps of an action of the window (`sidebar`, `settings`), for tooltips. */
export const useShortcut = (actionId: string): readonly string[] => use(ShortcutContext)(actionId)

export const useChordNow = (): ((place: KeyPlace, first: Chord) => Chord | undefined) => use(ChordContext)

/** Whether the keys can be changed: actions run by the window, and those a list or field handles at a letter. */
const isMovable = (action: RegisteredAction, os: Os): boolean =>
  action.run !== undefined || firstChordOf(action, os) !== undefined

/** The chords of an action in use: the user's custom ones, else the defaults. */
export function chordsNow(action: RegisteredAction, os: Os, keys: Settings['keys']): readonly Chord[] {
  return (isMovable(action, os) ? keys[action.id] : undefined) ?? chordsOf(action, os)
}

/** Provides the keys in use to every tooltip of the window. */
export function ShortcutKeys({ children }: { readonly children: ReactNode }) {
  const { os } = useHost()
  const { actions } = useRegistry()
  const keys = useSetting('keys')
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

const GROUPS = ['navigation', 'window', 'messages', 'composer'] as const

/** The actions for the shortcut sheet. */
export function useShortcutGroups(): readonly ShortcutGroup[] {
  const t = useTexts('settings')
  const { os } = useHost()
  const keys = useSetting('keys')
  const { actions } = useRegistry()
  return GROUPS.map((group) => ({
    id: group,
    title: t(`keyboard.groups.${group}`),
    shortcuts: actions
      .filter((action) => action.group === group)
      .map((action) => ({
        id: action.id,
        label: t(`keyboard.actions.${action.id}`),
        chords: chordsNow(action, os, keys),
        place: action.run === undefined ? (action.group === 'composer' ? 'composer' : 'messages') : 'window',
        movable: isMovable(action, os),
        changed: isMovable(action, os) && keys[action.id] !== undefined,
      })),
  }))
}

/** An action in the switcher, found by its label. */
export type SwitcherAction = {
  readonly id: string
  readonly label: string
  readonly keys: readonly string[]
  readonly icon?: IconName
  /** Absent: handled by key press where the focus is. */
  readonly run?: () => void
  /** The key press to dispatch to the element that had the focus before the switcher opened. */
  readonly press?: KeyboardEventInit
  /** Where the focus must be for it. */
  readonly place?: 'message' | 'composer'
}

/** The actions for the quick switcher, without the switcher itself. */
export function useSwitcherActions(): readonly SwitcherAction[] {
  const t = useTexts('settings')
  const store = useAppStore()
  const { engine, bridge } = useAppServices()
  const { os } = bridge.host
  const keys = useSetting('keys')
  const { actions } = useRegistry()
  // Actions of list rows are left out: from the switcher there is no row to act on.
  const isOffered = ({ id, run, group, allowed, offered }: RegisteredAction): boolean =>
    id !== 'switcher' &&
    (run ?? PLACES[group]) !== undefined &&
    allowed?.(store.getState()) !== false &&
    offered?.(store.getState()) !== false
  return actions.filter(isOffered).map(({ run, ...action }) => {
    const chord = chordsNow({ ...action, run }, os, keys)[0]
    const place = PLACES[action.group]
    return {
      id: action.id,
      label: t(`keyboard.actions.${action.id}`),
      keys: chord === undefined ? [] : keysOf(chord, os),
      run:
        run === undefined
          ? undefined
          : () => run({ dispatch: store.dispatch, getState: () => store.getState(), engine }),
      press: run !== undefined || chord === undefined || TYPED.has(action.id) ? undefined : pressOf(chord, os),
      place,
    }
  })
}

/** Groups whose key is handled by a message or a field: the switcher dispatches the key press there. */
const PLACES: Readonly<Partial<Record<RegisteredAction['group'], 'message' | 'composer'>>> = {
  messages: 'message',
  composer: 'composer',
}
/** Handled by the browser's field, which ignores synthetic key presses. */
const TYPED: ReadonlySet<ActionId> = new Set(['newLine'])
