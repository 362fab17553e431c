import { useEffect, useState } from 'react'

/** True once `on` has lasted `delayMs`; false at once when it ends. Keeps skeletons from flashing. */
export function useDelayed(on: boolean, delayMs: number): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!on) return undefined
    const timer = setTimeout(() => setLate(true), delayMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [on, delayMs])
  return on && late
}
