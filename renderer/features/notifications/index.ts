import { lazy } from 'react'

export { ArrivalToasts } from './ArrivalToasts.tsx'
export { LevelChoice } from './LevelChoice.tsx'
/** They come when they are asked for. */
export const LevelDialog = lazy(async () => ({ default: (await import('./LevelDialog.tsx')).LevelDialog }))
export const WhyNotifiedDialog = lazy(async () => ({
  default: (await import('./WhyNotifiedDialog.tsx')).WhyNotifiedDialog,
}))
