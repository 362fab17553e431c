import { lazy } from 'react'

/** Loaded when somebody goes there. */
export const DraftsView = lazy(async () => ({ default: (await import('./DraftsView.tsx')).DraftsView }))
