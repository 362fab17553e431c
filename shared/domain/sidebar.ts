/** How the conversations of one section stand: by newest message, unread ones first, by name, or as the person put them. */
export type SidebarSort = 'recent' | 'unread' | 'name' | 'manual'

/** A section the person made. */
type SidebarFolder = { readonly id: string; readonly name: string }

/** `pinned`, `channels`, `direct` and `archived` are there by themselves; a folder is `folder:<id>`. */
export type SectionName = 'pinned' | 'channels' | 'direct' | 'archived' | `folder:${string}`

/** How one person arranged the sidebar of one workspace. Kept on this computer. */
export type SidebarPlan = {
  /** From top to bottom. */
  readonly folders: readonly SidebarFolder[]
  /** Cid to the id of its folder. */
  readonly placed: Readonly<Record<string, string>>
  /** Cids of a section in the order they were put, by section. */
  readonly order: Readonly<Record<string, readonly string[]>>
  /** By section; one that is not named stands as {@link DEFAULT_SORT} says. */
  readonly sort: Readonly<Record<string, SidebarSort>>
  /** Only what has something unread is listed. */
  readonly unreadOnly: boolean
}

export const EMPTY_PLAN: SidebarPlan = { folders: [], placed: {}, order: {}, sort: {}, unreadOnly: false }
