import { lazy } from 'react'

/** Loaded when someone goes there. */
export const HistoryDialog = lazy(async () => ({ default: (await import('./HistoryDialog.tsx')).HistoryDialog }))
export const DraftsView = lazy(async () => ({ default: (await import('./DraftsView.tsx')).DraftsView }))
