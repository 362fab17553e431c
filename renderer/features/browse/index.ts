import { part } from '../../lib/page/part.tsx'

/** Loaded on demand. */
export const BrowseView = part(async () => (await import('./BrowseView.tsx')).BrowseView)
export const Invites = part(async () => (await import('./Invites.tsx')).Invites)
