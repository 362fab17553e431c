import type { UserId } from '#shared/lib/brand.ts'

/** Which workspace and person this profile shows. */
export type Session = {
  readonly state: 'signed-out' | 'signed-in'
  readonly workspace?: {
    readonly kind: 'local' | 'hosted'
    readonly name: string
    /** The demo team can be deleted as a whole. */
    readonly demo: boolean
    readonly url: string
  }
  readonly userId?: UserId
  /** No one in particular: without a token, reading what the server shows to everyone, writing nothing. */
  readonly guest?: true
  /** Key of the account in the list of this profile: tells apart what no name and address do. */
  readonly account?: string
}

/** A workspace of one's own that is on this computer, and that no one here is signed in to. */
export type LeftWorkspace = {
  /** Name of its folder. */
  readonly place: string
  readonly name: string
  /** Who was signed in to it last. */
  readonly userId: UserId
}

/** A person of the local workspace one may sign in as. */
export type LocalPerson = {
  readonly id: UserId
  readonly name: string
  readonly image?: string
  readonly title?: string
}
