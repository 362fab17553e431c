import { useEffect, useRef, useSyncExternalStore } from 'react'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { leaveFiles, leftFiles, watchLeftFiles } from '../../../lib/files/dropped-files.ts'
import { useSession } from '../../../store/hooks.ts'

/** Files that did not fit into the message being written. They outlive the composer: another channel may be opened. */
type LeftFiles = {
  readonly files: readonly File[]
  readonly add: (files: readonly File[]) => void
  /** All of them, to be attached now. */
  readonly take: () => readonly File[]
}

export function useLeftFiles(composerKey: string): LeftFiles {
  const key = `${sidebarKey(useSession())} ${composerKey}`
  const files = useSyncExternalStore(watchLeftFiles, () => leftFiles(key))
  return {
    files,
    add: (more) => leaveFiles(key, [...leftFiles(key), ...more]),
    take: () => {
      const all = leftFiles(key)
      leaveFiles(key, [])
      return all
    },
  }
}

/** As soon as the message before has gone, what did not fit into it is attached: as much of it as fits. */
export function useNextFiles(isFree: boolean, left: LeftFiles, attach: (files: readonly File[]) => void): void {
  const latest = useRef({ left, attach })
  useEffect(() => {
    latest.current = { left, attach }
  })
  // Not when some are left over: then the ones before them are still being announced.
  useEffect(() => {
    const { left: waiting, attach: add } = latest.current
    if (isFree && waiting.files.length > 0) add(waiting.take())
  }, [isFree])
}
