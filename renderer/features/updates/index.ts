import { part } from '../../lib/page/part.tsx'

/** Loaded when there is an update to announce. */
export const UpdateNotice = part(async () => (await import('./UpdateNotice.tsx')).UpdateNotice)
/** Loaded with the settings page that shows it. */
export const UpdateRows = part(async () => (await import('./UpdateRows.tsx')).UpdateRows)
