import { createSelector } from '@reduxjs/toolkit'
import type { AppState } from '../../store/store.ts'
import type { LocalNotice } from '../../store/window/notices.ts'

const MAX_SHOWN = 3

const selectEngineNotices = (state: AppState) => state.entities.notices
const selectLocal = (state: AppState) => state.notices.local
const selectDismissed = (state: AppState) => state.notices.dismissed

/** The newest three notices that are not dismissed and whose cause has not ended, oldest first. */
export const selectShownNotices = createSelector(
  [selectEngineNotices, selectLocal, selectDismissed],
  (fromEngine, local, dismissed): readonly LocalNotice[] =>
    [...Object.values(fromEngine), ...local]
      .filter((notice) => !notice.over && !(notice.id in dismissed))
      .toSorted((a, b) => a.createdAt - b.createdAt)
      .slice(-MAX_SHOWN),
)

/** All notices of this session, newest first. */
export const selectNoticeLog = createSelector(
  [selectEngineNotices, selectLocal],
  (fromEngine, local): readonly LocalNotice[] =>
    [...Object.values(fromEngine), ...local].toSorted((a, b) => b.createdAt - a.createdAt),
)
