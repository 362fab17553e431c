import { useSyncExternalStore } from 'react'

/** What only someone who is there does. */
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

let away = false
const listeners = new Set<() => void>()

/**
 * Main says that no one sits in front of the screen: it is locked, or nothing has been touched for a while. Anyone who
 * touches this page is there again, before main sees it.
 */
export function setAway(on: boolean): void {
  if (on === away) return
  away = on
  for (const name of TOUCHES) {
    if (on) window.addEventListener(name, comeBack, { passive: true })
    else window.removeEventListener(name, comeBack)
  }
  for (const listener of listeners) listener()
}

const comeBack = (): void => setAway(false)

/** Whether a person can be looking at this page: it is visible, its window has the focus, and someone is there. */
const isPageInView = (): boolean => !away && document.visibilityState === 'visible' && document.hasFocus()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('focus', listener)
  window.addEventListener('blur', listener)
  document.addEventListener('visibilitychange', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('focus', listener)
    window.removeEventListener('blur', listener)
    document.removeEventListener('visibilitychange', listener)
  }
}

export const usePageInView = (): boolean => useSyncExternalStore(subscribe, isPageInView)
