import { useSyncExternalStore } from 'react'

/** Whether a person can be looking at this page: it is visible and its window has the focus. */
export const isPageInView = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

function subscribe(listener: () => void): () => void {
  window.addEventListener('focus', listener)
  window.addEventListener('blur', listener)
  document.addEventListener('visibilitychange', listener)
  return () => {
    window.removeEventListener('focus', listener)
    window.removeEventListener('blur', listener)
    document.removeEventListener('visibilitychange', listener)
  }
}

export const usePageInView = (): boolean => useSyncExternalStore(subscribe, isPageInView)
