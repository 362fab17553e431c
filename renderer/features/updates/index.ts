import { part } from '../../lib/page/part.tsx'

/** Loaded when there is an update to announce. */
export const UpdateNotice = part(async () => (await import('./Updates.tsx')).UpdateNotice)
export { UpdateRows } from './Updates.tsx'
