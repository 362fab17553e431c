import { createSlice, type PayloadAction } from '@reduxjs/toolkit'

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

/** What was chosen in a view, restored when it is opened again. */
type ViewsState = {
  readonly mentions: MentionsShown
  readonly threads: ThreadFilter
  readonly later: LaterShown
}

const initial: ViewsState = { mentions: { kind: 'mentions', text: '' }, threads: 'unread', later: 'all' }

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
  },
})

export const viewsReducer = slice.reducer
export const { laterFiltered, mentionsFiltered, threadsFiltered } = slice.actions
