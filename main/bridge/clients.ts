import { type ChangeSet, type Effect, type Push, mergeChangeSets } from '#shared/domain/changes.ts'
import { endOfStep } from '#main/lib/clock.ts'

type Sink = { push(message: Push): void }

/**
 * The connection to one window. Each pipe has its own revisions, which increase by one per push, so that a window
 * detects a missing one and attaches again. Changes are pushed at the end of the step in which they come, such as a message
 * and what it changes in the list of accounts, or as soon as `flush` says that these are all: each push costs the window a
 * rendering. Those of one frame of the screen the window merges itself (docs/adr/0034).
 */
export class Pipe {
  readonly #window: Sink
  #rev = 0
  #attached = false
  #waiting: ChangeSet | undefined

  constructor(window: Sink) {
    this.#window = window
  }

  /** It has a snapshot, and follows the changes to it. */
  get isAttached(): boolean {
    return this.#attached
  }

  /** Stamps a snapshot: pushes continue from it. */
  attached(snapshot: ChangeSet): ChangeSet {
    this.flush()
    this.#attached = true
    return { ...snapshot, rev: this.#rev }
  }

  /** Ignored until the window has attached, because its snapshot will contain the changes. */
  push(changes: ChangeSet): void {
    if (!this.#attached) return
    if (this.#waiting === undefined) endOfStep(() => this.flush())
    this.#waiting = this.#waiting === undefined ? changes : mergeChangeSets(this.#waiting, changes)
  }

  /** Pushes what is waiting now. */
  flush(): void {
    const changes = this.#waiting
    this.#waiting = undefined
    if (changes === undefined) return
    this.#rev += 1
    this.#window.push({ kind: 'changes', changeSet: { ...changes, rev: this.#rev } })
  }

  effect(effect: Effect): void {
    this.flush()
    this.#window.push({ kind: 'effect', effect })
  }

  /** Makes the window attach again, for another account: it detects the skipped revision. */
  restart(): void {
    if (!this.#attached) return
    this.flush()
    this.#attached = false
    this.#rev += 2
    this.#window.push({ kind: 'changes', changeSet: { rev: this.#rev, put: {}, del: {}, windows: [], closed: [] } })
  }

  close(): void {
    this.#waiting = undefined
    this.#attached = false
  }
}
