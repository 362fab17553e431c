import { part } from '../../lib/page/part.tsx'

/** Loaded when there is something to tell, and when someone goes there. */
export const UpdateNotice = part(async () => (await import('./UpdateNotice.tsx')).UpdateNotice)
export { UpdateRows } from './UpdateRows.tsx'
