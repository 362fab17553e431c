import { useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { keysOf, type Chord } from '../../../lib/text/chords.ts'
import { useAppDispatch, useHost, useSettings } from '../../../store/hooks.ts'
import { updateSettings } from '../commands.ts'
import { judge, same, type Verdict } from './judge.ts'
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
