import type { UserId } from '../lib/brand.ts'

/** The workspace and person that a window shows. */
export type Session = {
  readonly state: 'signed-out' | 'signed-in'
  readonly workspace?: {
    readonly kind: 'local' | 'hosted'
    readonly name: string
    /** The name that an own workspace was created with: settings are stored under it, whatever it is called later. */
    readonly founded?: string
    /** The demo team can be deleted as a whole. */
    readonly demo: boolean
    readonly url: string
  }
  readonly userId?: UserId
  /** A guest: without a token, reads what the server shows to everyone, writes nothing. */
  readonly guest?: true
  /** Key of the account in this profile: distinguishes accounts with equal name and URL. */
  readonly account?: string
}

/** A local workspace on this device without a signed-in account. */
export type LeftWorkspace = {
  /** Name of its folder. */
  readonly place: string
  readonly name: string
  /** Who was signed in to it last. */
  readonly userId: UserId
  /** When it moved to another device; opening it takes it back. */
  readonly movedAt?: number
}

/** A person of the local workspace one can sign in as. */
export type LocalPerson = {
  readonly id: UserId
  readonly name: string
  readonly image?: string
  readonly title?: string
}

/** The hues of an account's tile: `--hue-1` to `--hue-8` of the tokens. */
export const ACCOUNT_HUES = [1, 2, 3, 4, 5, 6, 7, 8] as const
export type AccountHue = (typeof ACCOUNT_HUES)[number]

export type WorkspaceIcon = { readonly base64: string; readonly mimeType: string }

/** One account of this profile, as every window may know it: names and numbers, never user content. */
export type AccountEntry = {
  /** Name of its folder: always the same for a server, key and person. */
  readonly key: string
  readonly kind: 'demo' | 'own' | 'hosted'
  /** The user's name for it, otherwise the workspace name. */
  readonly name: string
  readonly workspaceName: string
  /** Its picture, small. */
  readonly icon?: WorkspaceIcon
  readonly userId: UserId
  readonly userName: string
  /** A guest: reads without a token. */
  readonly guest?: true
  readonly hue: AccountHue
  /** It does not notify and is not counted in the badge. */
  readonly muted: boolean
  /** Unread messages in channels that are not muted, counted by query. */
  readonly unread: number
  /** Mentions, and everything unread in direct conversations. */
  readonly mentions: number
  /** `sign-in`: the user has to sign in again, see {@link blocked}. */
  readonly connection: 'connected' | 'connecting' | 'offline' | 'sign-in'
  /** Locale code of the reason why the user must act. */
  readonly blocked?: string
  /** Its name in deep links. */
  readonly link: string
}

/** The accounts of this profile, in the order of the rail, and which of them this window shows. */
export type AccountList = {
  readonly accounts: readonly AccountEntry[]
  /** Absent while no one is signed in, and in a window that is opened "as" someone. */
  readonly shown?: string
}

type ConnectionState = 'connecting' | 'healthy' | 'unhealthy'

/** What may still be missing on the screen although connected. */
export type LoadingPart = 'channels' | 'messages' | 'threads' | 'reminders' | 'drafts' | 'workspace'

export type Connection = {
  readonly state: ConnectionState
  /** Set 5 s after becoming unhealthy; the chip and the banner follow this, not `state`. */
  readonly offline: boolean
  /** Epoch milliseconds of the next scheduled attempt, if any. */
  readonly nextTryAt?: number
  readonly transport: 'websocket' | 'longpoll'
  /** Set when retrying cannot help: the user must sign in or act. Locale code. */
  readonly blocked?: string
  /** Why attempts fail for now, when a later one may succeed: nothing is required of the user. Locale code. */
  readonly trouble?: string
  /** Epoch milliseconds when the connection was lost, for the line in the timeline. */
  readonly lostAt?: number
  /** Epoch milliseconds up to which the cache is complete; absent while connected, and before the first time. */
  readonly knownUntil?: number
  /** What could not be loaded yet on this connection and is retried; absent when nothing is missing. */
  readonly stillLoading?: readonly LoadingPart[]
  /** The local workspace's server stopped and is being restarted. */
  readonly serverRestarting: boolean
}
