import { part } from '../../lib/page/part.tsx'

/** Come when they are needed. */
export const BrowseView = part(async () => (await import('./BrowseView.tsx')).BrowseView)
export const Invites = part(async () => (await import('./Invites.tsx')).Invites)
