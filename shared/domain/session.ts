import type { UserId } from '#shared/lib/brand.ts'

/** The workspace and person that a window shows. */
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
}

/** A person of the local workspace one can sign in as. */
export type LocalPerson = {
  readonly id: UserId
  readonly name: string
  readonly image?: string
  readonly title?: string
}
