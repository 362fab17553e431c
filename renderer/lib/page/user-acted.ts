import { useSyncExternalStore } from 'react'

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

let acted = false

/** Whether there was user input since the window was opened. Before that, what it shows was only restored. */
const hasUserActed = (): boolean => acted

function subscribe(listener: () => void): () => void {
  const stop = (): void => {
    for (const sign of SIGNS) window.removeEventListener(sign, onSign, true)
  }
  const onSign = (): void => {
    acted = true
    stop()
    listener()
  }
  if (!acted) for (const sign of SIGNS) window.addEventListener(sign, onSign, { capture: true, passive: true })
  return stop
}

export const useUserActed = (): boolean => useSyncExternalStore(subscribe, hasUserActed)
