import { lazy } from 'react'

export { ThreadPanel } from './ThreadPanel.tsx'
export { useThreadTitle } from './use-text-of.ts'
export { followThread, showWide } from './commands.ts'
/** Loaded when someone goes there. */
export const ThreadsView = lazy(async () => ({ default: (await import('./ThreadsView.tsx')).ThreadsView }))
export const ThreadView = lazy(async () => ({ default: (await import('./ThreadView.tsx')).ThreadView }))
