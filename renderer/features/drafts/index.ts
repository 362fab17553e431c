import { lazy } from 'react'

export { selectDraftCount } from './selectors.ts'
/** Loaded when somebody goes there. */
export const DraftsView = lazy(async () => ({ default: (await import('./DraftsView.tsx')).DraftsView }))
