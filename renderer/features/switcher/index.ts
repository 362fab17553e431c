import { part } from '../../lib/page/part.tsx'

/** Loaded on first use, or preloaded shortly after the start: see {@link warmSwitcher}. */
export const Switcher = part(async () => (await import('./Switcher.tsx')).Switcher)

/** Preloads the switcher's code, so that the first Ctrl+K does not wait for it. */
export const warmSwitcher = (): void => Switcher.warm()

export { Waiting as SwitcherWaiting } from './Waiting.tsx'
export type { SwitcherAction } from './use-items.ts'
