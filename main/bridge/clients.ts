import type { ChangeSet, Effect, Push } from '#shared/domain/changes.ts'
import { mergeChangeSets } from '#shared/rules/server/changes.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'

/** Minimum time between two pushes of changes to a window: one frame of a 60 Hz screen. */
export const FRAME_MS = 16

type Sink = { readonly id: string; push(message: Push): void }

/**
 * The connection to one window. Each pipe has its own revisions, which increase by one per push, so that a window
 * detects a missing one and attaches again.
 *
 * The first change after a pause is pushed at once; those within the following frame are merged at its end.
 */
export class Pipe {
  readonly #window: Sink
  readonly #clock: Clock
  #rev = 0
  #attached = false
  #pending: ChangeSet | undefined
  #frame: Stop | undefined

  constructor(window: Sink, clock: Clock) {
    this.#window = window
    this.#clock = clock
  }

  /** Stamps a snapshot: it contains all pending changes, and pushes continue from it. */
  attached(snapshot: ChangeSet): ChangeSet {
    this.#pending = undefined
    this.#attached = true
    return { ...snapshot, rev: this.#rev }
  }

  /** Adds changes; ignored until the window has attached, because its snapshot will contain them. */
  push(changes: ChangeSet): void {
    if (!this.#attached) return
    this.#pending = this.#pending ? mergeChangeSets(this.#pending, changes) : changes
    if (this.#frame) return
    this.#send()
    this.#frame = this.#clock.after(FRAME_MS, () => this.#endFrame())
  }

  effect(effect: Effect): void {
    this.#window.push({ kind: 'effect', effect })
  }

  /** Makes the window attach again, for another account: it detects the skipped revision. */
  restart(): void {
    if (!this.#attached) return
    this.#attached = false
    this.#pending = undefined
    this.#rev += 2
    this.#window.push({ kind: 'changes', changeSet: { rev: this.#rev, put: {}, del: {}, windows: [], closed: [] } })
  }

  close(): void {
    this.#frame?.()
    this.#frame = undefined
    this.#attached = false
  }

  #endFrame(): void {
    this.#frame = undefined
    if (!this.#pending) return
    this.#send()
    this.#frame = this.#clock.after(FRAME_MS, () => this.#endFrame())
  }

  #send(): void {
    const changes = this.#pending
    this.#pending = undefined
    if (!changes) return
    this.#rev += 1
    this.#window.push({ kind: 'changes', changeSet: { ...changes, rev: this.#rev } })
  }
}
