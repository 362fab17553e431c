import { createSlice, type PayloadAction } from '@reduxjs/toolkit'

export const MENTION_LISTS = ['mentions', 'replies', 'reactions'] as const
export type MentionList = (typeof MENTION_LISTS)[number]
/** What the view of mentions shows: one of its lists, or invitations, filtered by a text. */
type MentionsShown = { readonly kind: MentionList | 'invites'; readonly text: string }

export const THREAD_FILTERS = ['unread', 'mine', 'following', 'all'] as const
export type ThreadFilter = (typeof THREAD_FILTERS)[number]

/** What was chosen in a view, restored when it is opened again. */
type ViewsState = { readonly mentions: MentionsShown; readonly threads: ThreadFilter }

const initial: ViewsState = { mentions: { kind: 'mentions', text: '' }, threads: 'unread' }

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
  },
})

export const viewsReducer = slice.reducer
export const { mentionsFiltered, threadsFiltered } = slice.actions
