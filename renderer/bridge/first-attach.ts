import type { Push } from '#shared/domain/changes.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { Bridge } from '#shared/bridge/transport.ts'
import { callBridge } from './client.ts'

export type Snapshot = Awaited<ReturnType<EngineClient['app']['attach']>>

/**
 * Asks main for the snapshot before the script of the app is there, and holds what main pushes until the app takes over.
 */
export class FirstAttach {
  readonly snapshot: Promise<Snapshot>
  readonly #held: Push[] = []
  #isForgotten = false
  readonly #stop: () => void

  constructor(bridge: Bridge) {
    const stopPushes = bridge.subscribe((push) => this.#held.push(push))
    const stopReset = bridge.onReset?.(() => (this.#isForgotten = true))
    this.#stop = () => {
      stopPushes()
      stopReset?.()
    }
    this.snapshot = callBridge(bridge, 'app.attach', {}) as Promise<Snapshot>
    // It is awaited later; until then a rejection must not count as unhandled.
    this.snapshot.catch(() => undefined)
  }

  /** What was pushed so far, in order; `undefined` when main has forgotten this window, and with it the snapshot. */
  takeOver(): readonly Push[] | undefined {
    this.#stop()
    return this.#isForgotten ? undefined : this.#held.splice(0)
  }
}
