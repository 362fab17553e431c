import { createSelector } from '@reduxjs/toolkit'
import type { AppState } from '../../store/store.ts'
import type { LocalNotice } from '../../store/window/notices.ts'

const MAX_SHOWN = 3

const selectEngineNotices = (state: AppState) => state.entities.notices
const selectLocal = (state: AppState) => state.notices.local
const selectDismissed = (state: AppState) => state.notices.dismissed

/** Notices that were not put away and are not over, oldest first, the newest three. */
export const selectShownNotices = createSelector(
  [selectEngineNotices, selectLocal, selectDismissed],
  (fromEngine, local, dismissed): readonly LocalNotice[] =>
    [...Object.values(fromEngine), ...local]
      .filter((notice) => !notice.over && !(notice.id in dismissed))
      .toSorted((a, b) => a.createdAt - b.createdAt)
      .slice(-MAX_SHOWN),
)

/** Everything that was said in this session, newest first. */
export const selectNoticeLog = createSelector(
  [selectEngineNotices, selectLocal],
  (fromEngine, local): readonly LocalNotice[] =>
    [...Object.values(fromEngine), ...local].toSorted((a, b) => b.createdAt - a.createdAt),
)
