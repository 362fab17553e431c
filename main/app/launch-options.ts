import type { DeepLink } from '#shared/domain/desktop/deep-link.ts'
import type { Credential } from './accounts/credential.ts'

/** What the person or script that started Parlor asked for, after the entry has checked it. */
export type LaunchOptions = {
  /** A person of the local workspace to be signed in as. Absent: the profile's own account. */
  readonly asUserId?: string
  /** A server of the contract to use instead of the local workspace. The credential is a secret: never in logs or settings. */
  readonly connect?: { readonly url: string; readonly apiKey: string; readonly credential: Credential }
}

/**
 * What `compose(host, options)` gives back. The entry has taken the profile lock before it calls `compose`, opens the
 * first window after it resolved, and calls `stop` exactly once.
 */
export type Composed = {
  /** Resolves when a window that opens now is answered from the cache. Never waits for a network beyond loopback. */
  ready(): Promise<void>
  /** Asked of a start by the system: no window is wanted, and someone will find Parlor all the same. */
  startsHidden(): boolean
  /** Someone pressed a link into Parlor: it leads there in the window of the profile's own account. */
  follow(link: DeepLink): void
  /** Flushes and closes everything, in order; at most a second unless uploads run. */
  stop(): Promise<void>
}
