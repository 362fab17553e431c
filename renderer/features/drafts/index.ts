import { part } from '../../lib/page/part.tsx'

/** Loaded on demand. */
export const HistoryDialog = part(async () => (await import('./HistoryDialog.tsx')).HistoryDialog)
export const DraftsView = part(async () => (await import('./DraftsView.tsx')).DraftsView)
