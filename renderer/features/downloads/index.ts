import { lazy } from 'react'

/** Loaded when somebody goes there. */
export const DownloadsDialog = lazy(async () => ({ default: (await import('./DownloadsDialog.tsx')).DownloadsDialog }))
