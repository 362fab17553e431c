import { part } from '../../lib/page/part.tsx'

export { ThreadPanel } from './ThreadPanel.tsx'
export { useThreadTitle } from './use-text-of.ts'
export { followThread, showWide } from './commands.ts'
/** Loaded when someone goes there. */
export const ThreadsView = part(async () => (await import('./ThreadsView.tsx')).ThreadsView)
export const ThreadView = part(async () => (await import('./ThreadView.tsx')).ThreadView)
