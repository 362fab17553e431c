import { lazy } from 'react'

/** Loaded when there is something to tell, and when someone goes there. */
export const UpdateNotice = lazy(async () => ({ default: (await import('./UpdateNotice.tsx')).UpdateNotice }))
export { UpdateRows } from './UpdateRows.tsx'
