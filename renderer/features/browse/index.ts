import { part } from '../../lib/page/part.tsx'

/** Loaded on demand. */
export const Invites = part(async () => (await import('./Invites.tsx')).Invites)
