import { useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { keysOf, type Chord, parseChord } from '../../../lib/text/chords.ts'
import { useAppDispatch, useHost, useSettings } from '../../../store/hooks.ts'
import { updateSettings } from '../commands.ts'
import type { Shortcut } from './shortcut.ts'

type Keys = Readonly<Record<string, readonly Chord[]>>

/** A recorded chord that conflicts or is refused. */
export type Conflict = { readonly chord: Chord; readonly verdict: Exclude<Verdict, { kind: 'free' }> }

/** The action whose shortcut is being recorded, and its conflict. */
export type KeyChoice = {
  readonly recording: string | undefined
  readonly conflict: Conflict | undefined
  readonly start: (id: string) => void
  readonly stop: () => void
  /** A chord was pressed for the action. */
  readonly press: (shortcut: Shortcut, chord: Chord) => void
  /** Reassigns the conflicting chord to the action. */
  readonly take: (shortcut: Shortcut) => void
  readonly remove: (shortcut: Shortcut) => void
  readonly restore: (shortcut: Shortcut) => void
}

export function useKeyChoice(all: readonly Shortcut[]): KeyChoice {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const { os } = useHost()
  const { keys } = useSettings()
  const [recording, setRecording] = useState<string>()
  const [conflict, setConflict] = useState<Conflict>()
  const stop = (): void => {
    setRecording(undefined)
    setConflict(undefined)
  }
  const write = async (changed: Keys, announcement: string): Promise<void> => {
    stop()
    const done = await dispatch(updateSettings({ keys: changed }))
    if (done.ok) announce(announcement)
  }
  const capsOf = (chord: Chord): string => keysOf(chord, os).join(' + ')
  const give = (shortcut: Shortcut, chord: Chord, from: Keys): void =>
    void write({ ...from, [shortcut.id]: [chord] }, t('keys.set', { action: shortcut.label, keys: capsOf(chord) }))
  return {
    recording,
    conflict,
    start(id) {
      setRecording(id)
      setConflict(undefined)
    },
    stop,
    press(shortcut, chord) {
      const verdict = judge(chord, shortcut, all)
      if (verdict.kind === 'free') give(shortcut, chord, keys)
      else setConflict({ chord, verdict })
    },
    take(shortcut) {
      if (conflict?.verdict.kind !== 'taken') return
      const { chord, verdict } = conflict
      const left = verdict.by.chords.filter((held) => !same(held, chord))
      give(shortcut, chord, { ...keys, [verdict.by.id]: left })
    },
    remove: ({ id, label }) => void write({ ...keys, [id]: [] }, t('keys.removed', { action: label })),
    restore({ id }) {
      const { [id]: _own, ...others } = keys
      void write(others, t('keys.restored'))
    },
  }
}

type Refusal = 'types' | 'alt' | 'field' | 'editing' | 'system'

/** Whether an action may have a shortcut. */
type Verdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'refused'; readonly why: Refusal }
  /** Used by another action; `movable`: can be reassigned. */
  | { readonly kind: 'taken'; readonly by: Shortcut; readonly movable: boolean }

const LETTER = /^[a-z]$/
const FUNCTION_KEY = /^F([1-9]|1[0-9]|2[0-4])$/
/** Keys that work inside fields, lists and menus, also with Shift. */
const IN_FIELDS: ReadonlySet<string> = new Set(
  'Enter Escape Tab Space Backspace Delete Insert ContextMenu ArrowUp ArrowDown ArrowLeft ArrowRight Home End PageUp PageDown'.split(
    ' ',
  ),
)
/** Keys that work there with Ctrl too: send, line break, select. */
const ALWAYS_IN_FIELDS: ReadonlySet<string> = new Set(['Enter', 'Tab', 'Space'])
const EDITING: ReadonlySet<string> = new Set([
  'Mod+A',
  'Mod+C',
  'Mod+V',
  'Mod+X',
  'Mod+Y',
  'Mod+Z',
  'Mod+Shift+Z',
  'Mod+Shift+V',
])
/** Reserved by system or browser: closing, reloading, tabs, zoom, developer tools. */
const OF_SYSTEM: ReadonlySet<string> = new Set(
  'Mod+W Mod+Q Mod+R Mod+T Mod+Shift+W Mod+Shift+R Mod+0 Mod+- Mod+= Alt+F4 F5 F11 F12'.split(' '),
)

/** Checks a shortcut for an action. */
export function judge(chord: Chord, own: Pick<Shortcut, 'id' | 'place'>, all: readonly Shortcut[]): Verdict {
  const why = refusalOf(chord, own.place)
  if (why !== undefined) return { kind: 'refused', why }
  const by = all.find(
    (shortcut) =>
      shortcut.id !== own.id && meet(shortcut.place, own.place) && shortcut.chords.some((held) => same(held, chord)),
  )
  return by === undefined ? { kind: 'free' } : { kind: 'taken', by, movable: by.movable }
}

/** Shortcuts of messages and of the composer do not conflict; those of the window conflict with both. */
const meet = (a: Shortcut['place'], b: Shortcut['place']): boolean => a === b || a === 'window' || b === 'window'

function refusalOf(chord: Chord, place: Shortcut['place']): Refusal | undefined {
  const { key, mod, ctrl, alt } = parseChord(chord)
  const types = key.length <= 1
  if (chord.includes('Meta+') || OF_SYSTEM.has(chord)) return 'system'
  if (alt && types) return 'alt'
  if (EDITING.has(chord)) return 'editing'
  if (ALWAYS_IN_FIELDS.has(key)) return 'field'
  if (mod || ctrl || alt || FUNCTION_KEY.test(key)) return undefined
  // A letter alone is allowed only for actions on a focused message, where nothing is typed.
  if (types) return place === 'messages' && LETTER.test(key) ? undefined : 'types'
  return IN_FIELDS.has(key) ? 'field' : 'system'
}

/** Whether two chords are the same keys. */
const same = (a: Chord, b: Chord): boolean => JSON.stringify(parseChord(a)) === JSON.stringify(parseChord(b))
