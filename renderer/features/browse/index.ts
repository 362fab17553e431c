import { lazy } from 'react'

/** Come when they are needed. */
export const BrowseView = lazy(async () => ({ default: (await import('./BrowseView.tsx')).BrowseView }))
export const Invites = lazy(async () => ({ default: (await import('./Invites.tsx')).Invites }))
