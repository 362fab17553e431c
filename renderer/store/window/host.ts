import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { HostState } from '#shared/bridge/transport.ts'
import type { AppState } from '../store.ts'

/** Whether main is reachable, and whether unsaved text is backed up in this browser meanwhile. */
export type HostPresence = { readonly state: HostState; readonly kept: boolean }

const initial: HostPresence = { state: 'here', kept: false }

const slice = createSlice({
  name: 'host',
  initialState: initial,
  reducers: {
    hostTold: (host, { payload }: PayloadAction<HostState>): HostPresence => ({ ...host, state: payload }),
    textsKept: (host, { payload }: PayloadAction<boolean>): HostPresence => ({ ...host, kept: payload }),
  },
})

export const { hostTold, textsKept } = slice.actions
export const hostReducer = slice.reducer

/** While main is unreachable nothing can be sent or loaded. */
export const selectHostGone = (state: AppState): boolean => state.host.state !== 'here'
export const selectHost = (state: AppState): HostPresence => state.host
