/** Cursors of message pages: channel query `messages`, and replies. At most one of them. See docs/wire.md 6.4. */
export type MessagePage = {
  limit?: number
  id_lt?: string
  id_lte?: string
  id_gt?: string
  id_gte?: string
  id_around?: string
  created_at_before?: string
  created_at_before_or_equal?: string
  created_at_after?: string
  created_at_after_or_equal?: string
  created_at_around?: string
}

export type SortField = { field: string; direction: 1 | -1 }
export type Filter = { readonly [key: string]: unknown }

/** Body of the lists with cursors. At most one of `next` and `prev`. See docs/wire.md 6.4 "cursor". */
export type CursorBody = {
  filter?: Filter
  sort?: readonly SortField[]
  limit?: number
  next?: string
  prev?: string
}

/** Absent: there are no further pages in that direction. */
export type CursorReply = { next?: string; prev?: string }
