import { useEffect, useState, type RefObject } from 'react'
import type { Size } from './view.ts'

const FIRST_ROOM: Size = { width: 960, height: 600 }

/** The size of an element, updated when it changes. */
export function useRoom(ref: RefObject<HTMLDivElement | null>): Size {
  const [room, setRoom] = useState(FIRST_ROOM)
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const measure = (): void => {
      if (element.clientWidth > 0) setRoom({ width: element.clientWidth, height: element.clientHeight })
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return room
}
