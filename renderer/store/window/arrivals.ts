import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { Effect } from '#shared/domain/changes.ts'

/** A notification shown inside the window, because the system does not show notifications of this page. */
export type ArrivalNotice = Omit<Extract<Effect, { type: 'notify' }>, 'type' | 'sound'>

type ArrivalsState = readonly ArrivalNotice[]

/** More would cover the conversation: the oldest are dropped. */
const LIMIT = 3

const slice = createSlice({
  name: 'arrivals',
  initialState: [] as ArrivalsState,
  reducers: {
    arrivalNotified: (state: ArrivalsState, { payload }: PayloadAction<ArrivalNotice>): ArrivalsState =>
      [...state.filter(({ tag }) => tag !== payload.tag), payload].slice(-LIMIT),
    arrivalRemoved: (state: ArrivalsState, { payload }: PayloadAction<{ tag: string }>): ArrivalsState =>
      state.some(({ tag }) => tag === payload.tag) ? state.filter(({ tag }) => tag !== payload.tag) : state,
  },
})

export const arrivalsReducer = slice.reducer
export const { arrivalRemoved, arrivalNotified } = slice.actions
