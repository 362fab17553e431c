import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { AppLanguage } from '#shared/domain/settings.ts'
import type { AppState } from './store.ts'

const slice = createSlice({
  name: 'language',
  initialState: (): AppLanguage => 'en',
  reducers: {
    /** The window now shows this language: later than the setting changes, since its texts are loaded first. */
    languageShown: (_state: AppLanguage, { payload }: PayloadAction<AppLanguage>): AppLanguage => payload,
  },
})

export const languageReducer = slice.reducer
export const { languageShown } = slice.actions

/** The language of the window's texts, for lists sorted by name. */
export const selectLanguage = (state: AppState): AppLanguage => state.language
