import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { AppLanguage } from '#shared/domain/settings.ts'
import type { AppState } from './store.ts'

const slice = createSlice({
  name: 'language',
  initialState: (): AppLanguage => 'en',
  reducers: {
    /** The texts of the window are in this one now: later than the setting says so, since they are fetched first. */
    languageShown: (_state: AppLanguage, { payload }: PayloadAction<AppLanguage>): AppLanguage => payload,
  },
})

export const languageReducer = slice.reducer
export const { languageShown } = slice.actions

/** The language of the window's texts, for lists that are ordered by name. */
export const selectLanguage = (state: AppState): AppLanguage => state.language
