import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import { NOTHING_NEWER, type UpdateState } from '#shared/domain/desktop/updates.ts'

const slice = createSlice({
  name: 'updates',
  initialState: NOTHING_NEWER,
  reducers: {
    /** Main reports the state of updates. */
    updatesAnnounced: (_state: UpdateState, { payload }: PayloadAction<UpdateState>): UpdateState => payload,
  },
})

export const updatesReducer = slice.reducer
export const { updatesAnnounced } = slice.actions
