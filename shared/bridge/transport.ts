import type { Push } from '../domain/changes.ts'
import type { Reply } from '../lib/contract.ts'
import type { HostInfo } from './host-info.ts'

export type HostState = 'here' | 'gone' | 'shut'

/**
 * The one object a window gets, from the preload in Electron and from the WebSocket client in the browser host: two
 * methods, typed by the contract.
 */
export type Bridge = {
  readonly host: HostInfo
  /** `name` is `area.call`. Never rejects for an ordinary failure: check the reply. */
  call(name: string, input: unknown): Promise<Reply>
  /** Calls the listener for every push until the returned function is called. */
  subscribe(listener: (push: Push) => void): () => void
  /**
   * URL of an attachment's or profile picture's bytes, by entity id: `media:` in Electron, a capability URL in the
   * browser host (valid for five minutes: request it again after a load error). `ref` is `att/<messageId>.<index>`,
   * `user/<userId>`, `channel/<cid>` or `upload/<uploadId>`; `variant` picks the size.
   */
  mediaUrl(ref: string, variant: 'full' | 'thumb'): Promise<string>
  /**
   * Called when main has dropped this window's state (the machine slept, or main was busy for a long time): pushes may
   * be missing, so attach again. Only in the browser host; a page without a listener is reloaded.
   */
  onReset?(listener: () => void): () => void
  /**
   * Whether main is reachable: called at once and at every change; only in the browser host. `gone`: nothing responds
   * at its address, and every call fails as `bridge/gone` until it is back. `shut`: it is running again and does not
   * know this page, which must be opened again.
   */
  onHost?(listener: (state: HostState) => void): () => void
  /** Tries to reach a missing host now instead of at the next scheduled attempt. */
  lookForHost?(): void
  /** Window buttons, where the page draws them. Absent in the browser host. */
  readonly windowControls?: { minimize(): void; toggleMaximize(): void; close(): void }
}

/** Names shared by the preload and the Electron host. Two channels, and one argument with the `HostInfo` as JSON. */

/** `invoke(CALL_CHANNEL, name, input)` resolves with a `Reply`. */
export const CALL_CHANNEL = 'parlor:call'
/** Main sends every `Push` here. */
export const PUSH_CHANNEL = 'parlor:push'
export const HOST_ARGUMENT = '--parlor-host='

/** Calls that the host itself handles: the window buttons, where the page draws them. */
export const WINDOW_CONTROLS = ['window.minimize', 'window.toggleMaximize', 'window.close'] as const
export type WindowControl = (typeof WINDOW_CONTROLS)[number]
