import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { HostState } from '#shared/bridge/transport.ts'
import { NOTHING_NEWER, type UpdateState } from '#shared/domain/desktop/desktop.ts'
import type { AppState } from '../store.ts'

/**
 * Whether main is reachable, and whether unsaved text is backed up in this browser meanwhile. `banners`: how many banners
 * show that it is not.
 */
export type HostPresence = { readonly state: HostState; readonly backedUp: boolean; readonly banners: number }

const initial: HostPresence = { state: 'here', backedUp: false, banners: 0 }

const slice = createSlice({
  name: 'host',
  initialState: initial,
  reducers: {
    hostStateChanged: (host, { payload }: PayloadAction<HostState>): HostPresence => ({ ...host, state: payload }),
    bannerShown: (host, { payload }: PayloadAction<boolean>): HostPresence => ({
      ...host,
      banners: host.banners + (payload ? 1 : -1),
    }),
    textsBackedUp: (host, { payload }: PayloadAction<boolean>): HostPresence => ({ ...host, backedUp: payload }),
  },
})

export const { bannerShown, hostStateChanged, textsBackedUp } = slice.actions
export const hostReducer = slice.reducer

/** While main is unreachable nothing can be sent or loaded. */
export const selectHostUnavailable = (state: AppState): boolean => state.host.state !== 'here'
export const selectHost = (state: AppState): HostPresence => state.host

const updatesSlice = createSlice({
  name: 'updates',
  initialState: NOTHING_NEWER,
  reducers: {
    /** Main reports the state of updates. */
    updatesAnnounced: (_state: UpdateState, { payload }: PayloadAction<UpdateState>): UpdateState => payload,
  },
})

export const updatesReducer = updatesSlice.reducer
export const { updatesAnnounced } = updatesSlice.actions
