import { useSyncExternalStore } from 'react'

const INPUT_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

let acted = false

/** Whether there was user input since the window was opened. Before that, what it shows was only restored. */
const hasUserActed = (): boolean => acted

function subscribe(listener: () => void): () => void {
  const stop = (): void => {
    for (const name of INPUT_EVENTS) window.removeEventListener(name, onInput, true)
  }
  const onInput = (): void => {
    acted = true
    stop()
    listener()
  }
  if (!acted) for (const name of INPUT_EVENTS) window.addEventListener(name, onInput, { capture: true, passive: true })
  return stop
}

export const useUserActed = (): boolean => useSyncExternalStore(subscribe, hasUserActed)
