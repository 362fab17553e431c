/** A conversation in a system menu. */
export type Place = {
  readonly name: string
  readonly unread: number
  /** A deep link for a new start; absent if there is none. */
  readonly link?: string
  readonly open: () => void
}

/** An account in a system menu. */
export type AccountPlace = {
  readonly name: string
  readonly unread: number
  readonly state: 'well' | 'offline' | 'sign-in'
  readonly open: () => void
}

/** Newest first, at most five each: system menus do not scroll. */
export type Places = { readonly unread: readonly Place[]; readonly recent: readonly Place[] }

export const MAX_MENU_PLACES = 5
