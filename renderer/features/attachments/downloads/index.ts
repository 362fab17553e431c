import { part } from '../../../lib/page/part.tsx'

/** Loaded on demand. */
export const DownloadsDialog = part(async () => (await import('./DownloadsDialog.tsx')).DownloadsDialog)
