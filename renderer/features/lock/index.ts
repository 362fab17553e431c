import { lazy } from 'react'

export { lockNow } from './commands.ts'
export type { PinQuestion } from './PinDialog.tsx'
export { useTouches } from './use-touches.ts'

/** Loaded when it is needed. */
export const LockPage = lazy(async () => ({ default: (await import('./LockPage.tsx')).LockPage }))
export const PinDialog = lazy(async () => ({ default: (await import('./PinDialog.tsx')).PinDialog }))
