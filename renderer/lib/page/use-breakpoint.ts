import { useSyncExternalStore } from 'react'

/** The width of the window in steps. */
type Breakpoint = 'wide' | 'medium' | 'small' | 'narrow'

function breakpointOf(width: number): Breakpoint {
  if (width >= 1180) return 'wide'
  if (width >= 900) return 'medium'
  return width >= 640 ? 'small' : 'narrow'
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}

export const useBreakpoint = (): Breakpoint => useSyncExternalStore(subscribe, () => breakpointOf(window.innerWidth))
