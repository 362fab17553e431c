import { part } from '../../lib/page/part.tsx'

/** Loaded when there is an update to announce. */
export const UpdateNotice = part(async () => (await import('./UpdateNotice.tsx')).UpdateNotice)
export { UpdateRows } from './UpdateRows.tsx'
