import { useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { keysOf, type Chord } from '../../../lib/text/chords.ts'
import { useAppDispatch, useHost, useSettings } from '../../../store/hooks.ts'
import { updateSettings } from '../commands.ts'
import { judge, same, type Verdict } from './judge.ts'
import type { Shortcut } from './shortcut.ts'

type Keys = Readonly<Record<string, readonly Chord[]>>

/** What was pressed for an action and could not simply be had. */
export type Asked = { readonly chord: Chord; readonly verdict: Exclude<Verdict, { kind: 'free' }> }

/** The one action that waits for its new keys, and what they meet. */
export type KeyChoice = {
  readonly recording: string | undefined
  readonly asked: Asked | undefined
  readonly start: (id: string) => void
  readonly stop: () => void
  /** New keys were pressed for the action that waits. */
  readonly press: (shortcut: Shortcut, chord: Chord) => void
  /** The keys that were pressed go from whom they belong to. */
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
  const [asked, setAsked] = useState<Asked>()
  const stop = (): void => {
    setRecording(undefined)
    setAsked(undefined)
  }
  const write = async (changed: Keys, said: string): Promise<void> => {
    stop()
    const done = await dispatch(updateSettings({ keys: changed }))
    if (done.ok) announce(said)
  }
  const capsOf = (chord: Chord): string => keysOf(chord, os).join(' + ')
  const give = (shortcut: Shortcut, chord: Chord, from: Keys): void =>
    void write({ ...from, [shortcut.id]: [chord] }, t('keys.set', { action: shortcut.label, keys: capsOf(chord) }))
  return {
    recording,
    asked,
    start(id) {
      setRecording(id)
      setAsked(undefined)
    },
    stop,
    press(shortcut, chord) {
      const verdict = judge(chord, shortcut, all)
      if (verdict.kind === 'free') give(shortcut, chord, keys)
      else setAsked({ chord, verdict })
    },
    take(shortcut) {
      if (asked?.verdict.kind !== 'taken') return
      const { chord, verdict } = asked
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
