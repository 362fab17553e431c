import { createSlice } from '@reduxjs/toolkit'
import type { Lock } from '#shared/domain/desktop/desktop.ts'
import { replicaAttached } from '../entities.ts'
import type { AppState } from '../store.ts'

/** `closing`: the window is about to be locked and hides everything, so that unmounting saves the drafts. */
type LockState = { readonly closing: boolean }

const initial: LockState = { closing: false }

const slice = createSlice({
  name: 'lock',
  initialState: initial,
  reducers: {
    lockBegun: (): LockState => ({ closing: true }),
  },
  extraReducers: (builder) => {
    builder.addCase(replicaAttached, () => initial)
  },
})

export const { lockBegun } = slice.actions
export const lockReducer = slice.reducer

const OFF: Lock = { on: false, locked: false }

export const selectLock = (state: AppState): Lock => state.entities.lock['self'] ?? OFF

/** Whether all accounts are hidden. */
export const selectCovered = (state: AppState): boolean => selectLock(state).locked || state.lock.closing
