import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { HostState } from '#shared/bridge/transport.ts'
import { NOTHING_NEWER, type UpdateState, type Lock } from '#shared/domain/desktop/desktop.ts'
import type { AppLanguage } from '#shared/domain/settings.ts'
import type { AppState } from '../store.ts'
import { replicaAttached } from '../entities.ts'

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

/** `closing`: the window is about to be locked and hides everything, so that unmounting saves the drafts. */
type LockState = { readonly closing: boolean }

const unlocked: LockState = { closing: false }

const lockSlice = createSlice({
  name: 'lock',
  initialState: unlocked,
  reducers: {
    lockBegun: (): LockState => ({ closing: true }),
  },
  extraReducers: (builder) => {
    builder.addCase(replicaAttached, () => unlocked)
  },
})

export const { lockBegun } = lockSlice.actions
export const lockReducer = lockSlice.reducer

const OFF: Lock = { on: false, locked: false }

export const selectLock = (state: AppState): Lock => state.entities.lock['self'] ?? OFF

/** Whether all accounts are hidden. */
export const selectCovered = (state: AppState): boolean => selectLock(state).locked || state.lock.closing

const languageSlice = createSlice({
  name: 'language',
  initialState: (): AppLanguage => 'en',
  reducers: {
    /** The window now shows this language: later than the setting changes, since its texts are loaded first. */
    languageShown: (_state: AppLanguage, { payload }: PayloadAction<AppLanguage>): AppLanguage => payload,
  },
})

export const languageReducer = languageSlice.reducer
export const { languageShown } = languageSlice.actions

/** The language of the window's texts, for lists sorted by name. */
export const selectLanguage = (state: AppState): AppLanguage => state.language
