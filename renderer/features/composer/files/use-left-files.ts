import { useEffect, useRef, useSyncExternalStore } from 'react'
import { COMPOSER_FILES } from '../../../store/composers/files.ts'
import { useObject } from '../../../store/hooks.ts'

/** Files that did not fit into the current message. Stored outside the composer, because another channel may be opened. */
type LeftFiles = {
  readonly files: readonly File[]
  readonly add: (files: readonly File[]) => void
  /** Removes and returns all of them. */
  readonly take: () => readonly File[]
}

export function useLeftFiles(key: string): LeftFiles {
  const all = useObject(COMPOSER_FILES)
  const files = useSyncExternalStore(all.watchLeftOver, () => all.leftOver(key))
  return {
    files,
    add: (more) => all.setLeftOver(key, [...all.leftOver(key), ...more]),
    take: () => {
      const taken = all.leftOver(key)
      all.setLeftOver(key, [])
      return taken
    },
  }
}

/** Once the previous message is sent, attaches as many of the leftover files as fit. */
export function useNextFiles(isFree: boolean, left: LeftFiles, attach: (files: readonly File[]) => void): void {
  const latest = useRef({ left, attach })
  useEffect(() => {
    latest.current = { left, attach }
  })
  // Runs on `isFree` alone: while files are being added to `left`, the ones before them are still being announced.
  useEffect(() => {
    const { left: waiting, attach: add } = latest.current
    if (isFree && waiting.files.length > 0) add(waiting.take())
  }, [isFree])
}
