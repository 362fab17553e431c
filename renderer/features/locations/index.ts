import { part } from '../../lib/page/part.tsx'

export { LiveChip } from './LiveChip.tsx'
export { useLiveShares } from './live.ts'
/** Loaded on demand. */
export const LocationCard = part(async () => (await import('./LocationCard.tsx')).LocationCard)
