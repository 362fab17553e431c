import type { UserId } from '#shared/lib/brand.ts'

/** The hues an account may be drawn in: `--hue-1` to `--hue-8` of the tokens. */
export const ACCOUNT_HUES = [1, 2, 3, 4, 5, 6, 7, 8] as const
export type AccountHue = (typeof ACCOUNT_HUES)[number]

/** One account of this profile, as every window may know it: names and numbers, never a word that someone wrote. */
export type AccountEntry = {
  /** Name of its folder: the same server, key and person always have the same. */
  readonly key: string
  readonly kind: 'demo' | 'own' | 'hosted'
  /** As the person named it, else as its workspace is named. */
  readonly name: string
  readonly workspaceName: string
  readonly userId: UserId
  readonly userName: string
  /** No one in particular: reads without a token. */
  readonly guest?: true
  readonly hue: AccountHue
  /** Nothing in it notifies or counts on the outside of Parlor. */
  readonly muted: boolean
  /** Unread of its channels that are not muted, by query. */
  readonly unread: number
  /** Mentions, and everything unread in direct conversations. */
  readonly mentions: number
  /** `sign-in`: no try will help by itself, see {@link blocked}. */
  readonly line: 'connected' | 'connecting' | 'offline' | 'sign-in'
  /** Locale code of why a person is needed. */
  readonly blocked?: string
  /** Its name in links into Parlor. */
  readonly link: string
}

/** The accounts of this profile, in the order of the rail, and which of them this window shows. */
export type AccountList = {
  readonly accounts: readonly AccountEntry[]
  /** Absent while no one is signed in, and in a window that is opened "as" someone. */
  readonly shown?: string
}
