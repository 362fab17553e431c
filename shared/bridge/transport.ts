import type { Push } from '#shared/domain/changes.ts'
import type { Reply } from '#shared/lib/contract.ts'
import type { HostInfo } from './host-info.ts'

export type HostState = 'here' | 'gone' | 'shut'

/**
 * The one object a window gets, from the preload in Electron and from the WebSocket client in the browser host.
 * Two verbs; the contract gives them meaning.
 */
export type Bridge = {
  readonly host: HostInfo
  /** `name` is `area.call`. Never rejects for an ordinary failure: look at the reply. */
  call(name: string, input: unknown): Promise<Reply>
  /** Hears every push until the returned function is called. */
  subscribe(listener: (push: Push) => void): () => void
  /**
   * Address of an attachment's or portrait's bytes, by entity id: `media:` in Electron, a capability URL in the browser
   * host (good for five minutes: ask again after a load error). `ref` is `att/<messageId>.<index>`, `user/<userId>`,
   * `channel/<cid>` or `upload/<uploadId>`; `variant` picks the size.
   */
  mediaUrl(ref: string, variant: 'full' | 'thumb'): Promise<string>
  /**
   * Tells that main has forgotten this window (the machine slept, main was busy for long): pushes may be missing, so
   * attach again. Only in the browser host; a page that does not listen is reloaded.
   */
  onReset?(listener: () => void): () => void
  /**
   * Whether main is there, told at once and at every change; only in the browser host. `gone`: no one answers at its
   * address, and every call fails as `bridge/gone` until it is back. `shut`: it is there again and does not know this
   * page, which has to be opened again.
   */
  onHost?(listener: (state: HostState) => void): () => void
  /** Looks for a host that is gone now, instead of with the next planned try. */
  lookForHost?(): void
  /** Window buttons, where the page draws them. Absent in the browser host. */
  readonly windowControls?: { minimize(): void; toggleMaximize(): void; close(): void }
}
