import { part } from '../../lib/page/part.tsx'

/** Loaded on demand. */
export const CatchUpView = part(async () => (await import('./CatchUpView.tsx')).CatchUpView)
export const WhyUnreadDialog = part(async () => (await import('./WhyUnreadDialog.tsx')).WhyUnreadDialog)
