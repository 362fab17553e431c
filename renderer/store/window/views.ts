import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { CatchUpGroup } from '#shared/domain/unread.ts'

export const MENTION_LISTS = ['mentions', 'replies', 'reactions'] as const
export type MentionList = (typeof MENTION_LISTS)[number]
/** What the view of mentions shows: one of its lists, or invitations, filtered by a text. */
type MentionsShown = { readonly kind: MentionList | 'invites'; readonly text: string }

export const THREAD_FILTERS = ['unread', 'mine', 'following', 'all'] as const
export type ThreadFilter = (typeof THREAD_FILTERS)[number]

/** The kinds of things that are put aside for later. */
export const LATER_KINDS = ['saved', 'reminders', 'drafts', 'scheduled', 'outbox'] as const
export type LaterKind = (typeof LATER_KINDS)[number]
/** `done`: reminders that were completed lately. */
export type LaterShown = LaterKind | 'all' | 'done'

/** From when catch up looks back: a time that moves with the clock, or a fixed one. */
export type Since = { readonly kind: 'today' | 'workday' | 'week' } | { readonly kind: 'at'; readonly at: number }
type CatchUpShown = {
  readonly since: Since
  readonly unread: boolean
  readonly group: CatchUpGroup | 'all'
  /** Rows that were marked as read although no read mark covers them, such as reactions. */
  readonly seen: readonly string[]
}

/** What was chosen in a view, restored when it is opened again. */
type ViewsState = {
  readonly mentions: MentionsShown
  readonly threads: ThreadFilter
  readonly later: LaterShown
  readonly catchUp: CatchUpShown
}

const initial: ViewsState = {
  mentions: { kind: 'mentions', text: '' },
  threads: 'unread',
  later: 'all',
  catchUp: { since: { kind: 'workday' }, unread: true, group: 'all', seen: [] },
}

const slice = createSlice({
  name: 'views',
  initialState: initial,
  reducers: {
    mentionsFiltered(views, { payload }: PayloadAction<Partial<MentionsShown>>) {
      Object.assign(views.mentions, payload)
    },
    threadsFiltered(views, { payload }: PayloadAction<ThreadFilter>) {
      views.threads = payload
    },
    laterFiltered(views, { payload }: PayloadAction<LaterShown>) {
      views.later = payload
    },
    catchUpChosen(views, { payload }: PayloadAction<Partial<CatchUpShown>>) {
      Object.assign(views.catchUp, payload)
    },
  },
})

export const viewsReducer = slice.reducer
export const { catchUpChosen, laterFiltered, mentionsFiltered, threadsFiltered } = slice.actions
