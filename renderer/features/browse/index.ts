import { lazy } from 'react'

/** Comes when it is needed. */
export const BrowseView = lazy(async () => ({ default: (await import('./BrowseView.tsx')).BrowseView }))
