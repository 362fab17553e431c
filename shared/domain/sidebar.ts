/** Order of the conversations of a section: by newest message, unread first, by name, or custom. */
export type SidebarSort = 'recent' | 'unread' | 'name' | 'manual'

/** A section that the user created. */
export type SidebarFolder = { readonly id: string; readonly name: string }

/** `pinned`, `channels`, `direct` and `archived` always exist; a user's section is `folder:<id>`. */
export type SectionName = 'pinned' | 'channels' | 'direct' | 'archived' | `folder:${string}`

/** How a person arranged the sidebar of a workspace. Stored on this device. */
export type SidebarPlan = {
  /** From top to bottom. */
  readonly folders: readonly SidebarFolder[]
  /** Cid to the id of its folder. */
  readonly placed: Readonly<Record<string, string>>
  /** Cids of a section in custom order, by section. */
  readonly order: Readonly<Record<string, readonly string[]>>
  /** By section; a missing one uses {@link DEFAULT_SORT}. */
  readonly sort: Readonly<Record<string, SidebarSort>>
  /** Only conversations with something unread are listed. */
  readonly unreadOnly: boolean
}

export const EMPTY_PLAN: SidebarPlan = { folders: [], placed: {}, order: {}, sort: {}, unreadOnly: false }
