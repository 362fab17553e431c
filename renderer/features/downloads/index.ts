import { lazy } from 'react'

/** Loaded when someone goes there. */
export const DownloadsDialog = lazy(async () => ({ default: (await import('./DownloadsDialog.tsx')).DownloadsDialog }))
