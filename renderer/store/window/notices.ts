import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { Notice } from '#shared/domain/notification.ts'
import type { Effect } from '#shared/domain/changes.ts'

/** A notice of this window. */
export type LocalNotice = Notice & {
  /** The recent action that its Undo undoes. */
  readonly undoId?: string
  /** It is about the file that was exported last, and offers to show it. */
  readonly showsExported?: boolean
  /** The action that it is about, below its text. */
  readonly about?: Pick<Notice, 'code' | 'params'>
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

/** A notification shown inside the window, because the system does not show notifications of this page. */
export type ArrivalNotice = Omit<Extract<Effect, { type: 'notify' }>, 'type' | 'sound'>

type ArrivalsState = readonly ArrivalNotice[]

/** More would cover the conversation: the oldest are dropped. */
const ARRIVALS_LIMIT = 3

const arrivalsSlice = createSlice({
  name: 'arrivals',
  initialState: [] as ArrivalsState,
  reducers: {
    arrivalNotified: (state: ArrivalsState, { payload }: PayloadAction<ArrivalNotice>): ArrivalsState =>
      [...state.filter(({ tag }) => tag !== payload.tag), payload].slice(-ARRIVALS_LIMIT),
    arrivalRemoved: (state: ArrivalsState, { payload }: PayloadAction<{ tag: string }>): ArrivalsState =>
      state.some(({ tag }) => tag === payload.tag) ? state.filter(({ tag }) => tag !== payload.tag) : state,
  },
})

export const arrivalsReducer = arrivalsSlice.reducer
export const { arrivalRemoved, arrivalNotified } = arrivalsSlice.actions
