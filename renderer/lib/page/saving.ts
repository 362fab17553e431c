import { useEffect, useLayoutEffect, useRef } from 'react'

/** How long after the last change what is being written is saved, in milliseconds. */
export const SAVE_AFTER_MS = 300
/** Typing without a pause loses at most this much in a crash. */
export const SAVE_WITHIN_MS = 400

const LEAVING = ['pagehide', 'beforeunload', 'blur'] as const

/** Saves what is being written when the window loses the focus or closes, and when the component goes. */
export function useSaveOnLeave(save: () => void): void {
  const latest = useRef(save)
  useLayoutEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    const now = (): void => latest.current()
    for (const event of LEAVING) window.addEventListener(event, now)
    return () => {
      now()
      for (const event of LEAVING) window.removeEventListener(event, now)
    }
  }, [])
}
