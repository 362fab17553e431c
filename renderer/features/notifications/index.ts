import { part } from '../../lib/page/part.tsx'

export { ArrivalToasts } from './ArrivalToasts.tsx'
export { LevelChoice } from './LevelChoice.tsx'
/** Loaded on demand. */
export const LevelDialog = part(async () => (await import('./LevelDialog.tsx')).LevelDialog)
export const WhyNotifiedDialog = part(async () => (await import('./WhyNotifiedDialog.tsx')).WhyNotifiedDialog)
