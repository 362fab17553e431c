import { lazy } from 'react'

export { LiveChip, STOP_SHARING_EVENT } from './LiveChip.tsx'
export { useLiveShares } from './live.ts'
/** Loaded when someone asks for them. */
export const LocationDialog = lazy(async () => ({ default: (await import('./LocationDialog.tsx')).LocationDialog }))
export const LocationCard = lazy(async () => ({ default: (await import('./LocationCard.tsx')).LocationCard }))
