import type { DeepLink } from '#shared/domain/desktop/desktop.ts'
import type { Credential } from './accounts/credential.ts'

/** What the user or script that started Parlor requested, after the entry has checked it. */
export type LaunchOptions = {
  /** User of the local workspace to sign in as. Absent: the profile's own account. */
  readonly asUserId?: string
  /** Opens the demo at once, as the person who was in it last, otherwise as one of its invented people. */
  readonly demo?: boolean
  /** A server of the contract to use instead of the local workspace. The credential is a secret: never in logs or settings. */
  readonly connect?: { readonly url: string; readonly apiKey: string; readonly credential: Credential }
}

/**
 * The result of `compose(host, options)`. The entry has taken the profile lock before it calls `compose`, opens the first
 * window after it resolved, and calls `stop` exactly once.
 */
export type Composed = {
  /** Resolves when a new window can be served from the cache. Waits for no network beyond loopback. */
  ready(): Promise<void>
  /** Whether a start by the system needs no window, because Parlor can be reached in another way. */
  startsHidden(): boolean
  /** The user opened a link to Parlor: shows its target in a window of the profile's own account. */
  follow(link: DeepLink): void
  /** Flushes and closes everything, in order; takes at most a second unless uploads run. */
  stop(): Promise<void>
}
