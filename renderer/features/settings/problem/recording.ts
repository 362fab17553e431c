import type { ProblemReport } from '#shared/bridge/problem-report.ts'
import { perWindow } from '../../../store/objects.ts'

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
