import { lazy } from 'react'

/** Both come when they are asked for. */
export const CatchUpView = lazy(() => import('./CatchUpView.tsx').then((part) => ({ default: part.CatchUpView })))
export const WhyUnreadDialog = lazy(() =>
  import('./WhyUnreadDialog.tsx').then((part) => ({ default: part.WhyUnreadDialog })),
)
