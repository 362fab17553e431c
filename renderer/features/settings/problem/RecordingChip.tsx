import { useSyncExternalStore } from 'react'
import type { ProblemReport } from '#shared/bridge/problem-report.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useObject } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { perWindow } from '../../../store/objects.ts'

/** In the title strip while a problem is recorded: says so, and stops it. Its own clicks are not recorded. */
export function RecordingChip() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const recording = useObject(RECORDING)
  const isRunning = useSyncExternalStore(recording.subscribe, recording.isRunning)
  if (!isRunning) return null
  const stop = (): void => {
    recording.stop()
    announce(t('problem.stopped'))
    dispatch(dialogOpened({ kind: 'problem' }))
  }
  return (
    <span data-recording="">
      <Button size="small" variant="risky" icon="stop" onClick={stop}>
        {t('problem.stop')}
      </Button>
    </span>
  )
}

/** What runs while a problem is recorded; its code is loaded when that begins. */
export type Recorder = { readonly finish: () => ProblemReport; readonly cancel: () => void }

/** The recording of a problem in this window: at most one. The report exists only here until it is saved or discarded. */
class Recording {
  #recorder: Recorder | undefined
  #report: ProblemReport | undefined
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly isRunning = (): boolean => this.#recorder !== undefined
  /** Of the recording that was stopped last. */
  readonly report = (): ProblemReport | undefined => this.#report

  begin(recorder: Recorder): void {
    this.#recorder?.cancel()
    this.#recorder = recorder
    this.#report = undefined
    this.#notify()
  }

  stop(): void {
    if (this.#recorder === undefined) return
    this.#report = this.#recorder.finish()
    this.#recorder = undefined
    this.#notify()
  }

  discard(): void {
    this.#report = undefined
    this.#notify()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

export const RECORDING = perWindow(() => new Recording())
