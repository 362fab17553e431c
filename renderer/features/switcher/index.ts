import { lazy } from 'react'

const load = () => import('./Switcher.tsx')

/** Comes with the first use, or a little after the start, whichever is earlier: see {@link warmSwitcher}. */
export const Switcher = lazy(() => load().then((part) => ({ default: part.Switcher })))

/** Fetches the switcher's code, so that the first Ctrl K does not wait for it. */
export const warmSwitcher = (): void => {
  load().catch(() => {
    // Tried again when it is asked for, and told then.
  })
}

export { Waiting as SwitcherWaiting } from './Waiting.tsx'
export type { SwitcherAction } from './use-items.ts'
