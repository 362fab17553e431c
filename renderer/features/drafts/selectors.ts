import { createSelector } from '@reduxjs/toolkit'
import type { Draft } from '#shared/domain/draft.ts'
import type { AppState } from '../../store/store.ts'
import { selectScheduled } from '../outbox/index.ts'

const isWorthShowing = (draft: Draft): boolean =>
  draft.text.trim() !== '' || draft.uploads.length > 0 || draft.quotedId !== undefined

/** All drafts, the last changed first. */
export const selectDrafts = createSelector([(state: AppState) => state.entities.drafts], (drafts): readonly Draft[] =>
  Object.values(drafts)
    .filter(isWorthShowing)
    .toSorted((a, b) => b.updatedAt - a.updatedAt || (a.key < b.key ? -1 : 1)),
)

/** The number beside "Drafts" in the sidebar: begun, and to be sent later. */
export const selectDraftCount = (state: AppState): number => selectDrafts(state).length + selectScheduled(state).length
