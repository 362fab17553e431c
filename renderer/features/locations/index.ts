import { part } from '../../lib/page/part.tsx'

export { LiveChip, useLiveShares } from './LiveChip.tsx'
/** Loaded on demand. */
export const LocationCard = part(async () => (await import('./LocationCard.tsx')).LocationCard)
