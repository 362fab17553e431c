import type { Managed } from '#shared/domain/desktop/policies.ts'
import type { Push } from '../domain/changes.ts'
import type { Reply } from '../lib/contract.ts'

/** What the window knows about its host before anything else. Constant for the lifetime of the window. */
export type HostInfo = {
  readonly kind: 'electron' | 'browser'
  readonly os: 'windows' | 'macos' | 'linux'
  readonly version: string
  /** Who draws the window buttons. */
  readonly titleBar: 'macos' | 'windows' | 'linux' | 'none'
  /** System preferences that only main can read; absent where the page can read them. */
  readonly clock24h?: boolean
  /** The policies of the administrator; absent on most devices. */
  readonly managed?: Managed
  readonly capabilities: {
    readonly nativeNotifications: boolean
    readonly badge: boolean
    readonly tray: boolean
    readonly severalWindows: boolean
    /** Pages may open a file field and paste files. */
    readonly files: boolean
  }
}

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

/**
 * Frames between a page of the browser host and main over their one WebSocket, one JSON object per frame. The page
 * sends `hello` within three seconds, or the socket is closed.
 */
export type PageFrame =
  /** With a start code, or with the session token an earlier code was exchanged for. `resume` continues a window after a drop. */
  | { readonly hello: { readonly code?: string; readonly session?: string; readonly resume?: Resume } }
  /** Sent before a session is resumed: only the host that admitted this page knows the matching word. */
  | { readonly knock: string }
  | { readonly id: number; readonly name: string; readonly input: unknown }
  | { readonly id: number; readonly media: { readonly ref: string; readonly variant: 'full' | 'thumb' } }
  | { readonly ping: number }

/** Which window to continue, and the number of the last push that arrived. */
export type Resume = { readonly window: string; readonly lastPush: number }

export type HostFrame =
  | { readonly word: string }
  | { readonly welcome: Welcome }
  | { readonly refused: { readonly reason: RefusedReason; readonly retryInMs?: number } }
  | { readonly id: number; readonly reply: Reply }
  /** Pushes of a window are numbered from 1 without gaps. */
  | { readonly push: Push; readonly n: number }
  | { readonly pong: number }

export type Welcome = {
  readonly session: string
  /** For `knock` after the socket drops: the name to send and the word that the host must return. */
  readonly knock: { readonly name: string; readonly word: string }
  readonly window: string
  /** The window continues and missed no pushes. Otherwise it is a new one and must attach. */
  readonly resumed: boolean
  readonly host: HostInfo
}

/** `code`: used, expired or wrong. `session`: unknown to this run. `locked`: too many wrong attempts. */
export type RefusedReason = 'code' | 'session' | 'locked' | 'malformed'

/** WebSocket close code after a refusal. The page must not retry with the same credentials. */
export const CLOSE_REFUSED = 4_001
/** The page did not send `hello` in time, or sent something else first. */
export const CLOSE_SILENT = 4_002
/** Largest frame from a page. With room for the envelope. */
export const MAX_FRAME_BYTES = 1_048_576 + 1_024
