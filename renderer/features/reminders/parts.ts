import { overlayPart } from '../../lib/page/part.tsx'

/** Loaded before the first screen when there are reminders, so that its rows do not grow. */
export const Chip = overlayPart(async () => (await import('./Chip.tsx')).Chip)
export const RemindMenu = overlayPart(async () => (await import('./RemindMenu.tsx')).RemindMenu)
