import { useSyncExternalStore } from 'react'

/** Input that shows that the user is present. */
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

let away = false
const listeners = new Set<() => void>()

/**
 * Set by main when the user is away: the screen is locked, or there was no input for a while. Input on this page ends it
 * before main notices.
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

/** Whether the user can see this page: it is visible, its window has the focus, and the user is not away. */
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
