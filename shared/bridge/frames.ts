import type { Push } from '#shared/domain/changes.ts'
import type { Reply } from '#shared/lib/contract.ts'
import type { HostInfo } from './host-info.ts'

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
