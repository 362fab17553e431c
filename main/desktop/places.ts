/** A conversation as a menu of the system names it. */
export type Place = {
  readonly name: string
  readonly unread: number
  /** Leads there in a new start; absent where a link cannot say it. */
  readonly link?: string
  readonly open: () => void
}

/** An account of the profile as a menu of the system names it. */
export type AccountPlace = {
  readonly name: string
  readonly unread: number
  readonly state: 'well' | 'offline' | 'sign-in'
  readonly open: () => void
}

/** Newest first, at most five each: menus of the system do not scroll. */
export type Places = { readonly unread: readonly Place[]; readonly recent: readonly Place[] }

export const MOST_PLACES = 5
