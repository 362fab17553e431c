import { useEffect, useRef } from 'react'

/** Being in view for a shorter time does not count as reading. */
export const DWELL_MS = 500

/**
 * Calls `read` when something new was in view for half a second. What comes meanwhile does not begin the half second
 * anew: a place where something keeps arriving is read too.
 *
 * @param newest identifies what is newest in view; undefined while nothing is new, or nobody looks
 * @param read another function is another place
 */
export function useDwell(newest: number | string | undefined, read: () => void): void {
  const dwell = useRef<Dwell>(undefined)
  const isLooking = newest !== undefined
  useEffect(() => {
    if (!isLooking) return undefined
    dwell.current = begin(read)
    return dwell.current.stop
  }, [isLooking, read])
  useEffect(() => {
    if (newest !== undefined) dwell.current?.cameMore()
  }, [newest])
}

type Dwell = { readonly cameMore: () => void; readonly stop: () => void }

function begin(read: () => void): Dwell {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cameMore = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      read()
    }, DWELL_MS)
  }
  cameMore()
  return { cameMore, stop: () => clearTimeout(timer) }
}
