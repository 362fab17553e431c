import type { Bridge } from '#shared/bridge/transport.ts'
import { type ChangeSet, type Effect, type Push, mergeChangeSets } from '#shared/domain/changes.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { WindowPlace } from '#shared/bridge/window-place.ts'
import { changesApplied, replicaAttached } from '../store/entities.ts'
import type { AppStore } from '../store/store.ts'
import type { FirstAttach, Snapshot } from './client.ts'

/** Runs a function before a coming paint; returns a function that cancels it. */
type NextFrame = (run: () => void) => () => void

type Options = {
  readonly bridge: Bridge
  readonly engine: EngineClient
  readonly store: AppStore
  readonly onEffect: (effect: Effect) => void
  /** Attaching again failed: the window shows stale data and should report it. */
  readonly onLost: (error: unknown) => void
  readonly lastChannel?: () => string | undefined
  /** The one channel or thread the window shows. */
  readonly own?: WindowPlace | undefined
  /** Main has been asked already. */
  readonly first?: FirstAttach | undefined
  readonly nextFrame?: NextFrame
}

/**
 * Keeps the replica in sync with the engine:
 *
 *   attaching --snapshot--> following --gap, lost or reset--> attaching
 *
 * Pushes that arrive before the snapshot are queued; those it already contains are dropped; a gap in the revisions means
 * that pushes were lost, so a new snapshot is requested. While following, the first push after a quiet frame is applied
 * at once and all others of a frame become one dispatch.
 * Resolves once the first snapshot is in the store; rejects when the request fails.
 */
export async function attach(options: Options): Promise<() => void> {
  const follower = new Follower(options)
  const onPush = (push: Push): void => {
    if (push.kind === 'effect') options.onEffect(push.effect)
    else follower.take(push.changeSet)
  }
  const stop = options.bridge.subscribe(onPush)
  // Main no longer knows this window: its revisions start again.
  const stopReset = options.bridge.onReset?.(() => follower.restart())
  const held = options.first?.takeOver()
  for (const push of held ?? []) onPush(push)
  await follower.attach(held === undefined ? undefined : options.first?.snapshot)
  return () => {
    stop()
    stopReset?.()
    follower.stop()
  }
}

class Follower {
  readonly #options: Options
  readonly #nextFrame: NextFrame
  #rev: number | undefined
  /** Number of snapshot requests: only the response to the latest is used. */
  #requests = 0
  #attaching = false
  #queued: ChangeSet[] = []
  #pending: ChangeSet | undefined
  #cancelFrame: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
    this.#nextFrame = options.nextFrame ?? oncePerFrame()
  }

  /** @param asked the snapshot, when it was requested before */
  async attach(asked?: Promise<Snapshot>): Promise<void> {
    const { engine, store, lastChannel, own } = this.#options
    const channel = lastChannel?.()
    this.#requests += 1
    const request = this.#requests
    this.#attaching = true
    try {
      const snapshot = await (asked ??
        engine.app.attach({ lastChannel: channel, ...(own === undefined ? {} : { own }) }))
      if (request !== this.#requests) return
      this.#dropFrame()
      this.#rev = snapshot.rev
      store.dispatch(replicaAttached(snapshot))
    } finally {
      if (request === this.#requests) this.#attaching = false
    }
    const queued = this.#queued
    this.#queued = []
    for (const set of queued) this.take(set)
  }

  /** The window is new to main: pushes queued before do not belong to it. */
  restart(): void {
    this.#queued = []
    this.#rev = undefined
    this.attach().catch(this.#options.onLost)
  }

  take(set: ChangeSet): void {
    if (this.#attaching || this.#rev === undefined) {
      this.#queued.push(set)
      return
    }
    if (set.rev <= this.#rev) return
    if (set.rev !== this.#rev + 1) {
      this.#queued = [set]
      this.attach().catch(this.#options.onLost)
      return
    }
    this.#rev = set.rev
    this.#pending = this.#pending === undefined ? set : mergeChangeSets(this.#pending, set)
    this.#cancelFrame ??= this.#nextFrame(() => this.#flush())
  }

  stop(): void {
    this.#dropFrame()
    this.#queued = []
  }

  #flush(): void {
    const changes = this.#pending
    this.#pending = undefined
    this.#cancelFrame = undefined
    if (changes !== undefined) this.#options.store.dispatch(changesApplied(changes))
  }

  #dropFrame(): void {
    this.#cancelFrame?.()
    this.#cancelFrame = undefined
    this.#pending = undefined
  }
}

/** Animation frames stop in a hidden window, where the title must still be updated: runs on a frame or after 100 ms. */
function frameOrTimeout(run: () => void): () => void {
  const cancel = (): void => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
  const once = (): void => {
    cancel()
    run()
  }
  const frame = requestAnimationFrame(once)
  const timer = setTimeout(once, 100)
  return cancel
}

/**
 * Runs the first function after a quiet frame at the end of the turn, so that a single message is not kept waiting for
 * the next frame; under load one function in each frame.
 */
export function oncePerFrame(nextFrame: NextFrame = frameOrTimeout): NextFrame {
  let isQuiet = true
  const ran = (): void => {
    isQuiet = false
    nextFrame(() => {
      isQuiet = true
    })
  }
  return (run) => {
    let isListening = true
    const once = (): void => {
      if (!isListening) return
      ran()
      run()
    }
    if (isQuiet) queueMicrotask(once)
    const cancel = isQuiet ? undefined : nextFrame(once)
    return () => {
      isListening = false
      cancel?.()
    }
  }
}
