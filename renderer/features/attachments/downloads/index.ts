import { part } from '../../../lib/page/part.tsx'

/** Loaded when someone goes there. */
export const DownloadsDialog = part(async () => (await import('./DownloadsDialog.tsx')).DownloadsDialog)
