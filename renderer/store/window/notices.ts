import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { Notice } from '#shared/domain/notice.ts'

/** A notice of this window. `actionId` is an action of app/actions/actions.ts. */
export type LocalNotice = Notice & {
  readonly actionId?: 'undoRead'
  /** How long it is shown, in milliseconds; absent: the default. */
  readonly durationMs?: number
}

/** Notices raised in this window, and the ids of all dismissed notices. */
type NoticesState = {
  local: readonly LocalNotice[]
  readonly dismissed: Record<string, true>
}

const LOG_LIMIT = 200

const initial: NoticesState = { local: [], dismissed: {} }

const slice = createSlice({
  name: 'notices',
  initialState: initial,
  reducers: {
    noticeRaised(state: NoticesState, { payload }: PayloadAction<LocalNotice>) {
      state.local = [...state.local, payload].slice(-LOG_LIMIT)
    },
    noticeDismissed(state: NoticesState, { payload }: PayloadAction<{ id: string }>) {
      state.dismissed[payload.id] = true
    },
  },
})

export const noticesReducer = slice.reducer
export const { noticeDismissed, noticeRaised } = slice.actions
