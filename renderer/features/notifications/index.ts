import { overlayPart } from '../../lib/page/part.tsx'

export { ArrivalToasts } from './ArrivalToasts.tsx'
export { useReason } from './WhyNotifiedDialog.tsx'
/** Loaded with the panel that shows it: it understands times. */
export const LevelChoice = overlayPart(async () => (await import('./LevelChoice.tsx')).LevelChoice)
