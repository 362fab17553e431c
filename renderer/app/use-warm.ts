import { useEffect } from 'react'
import { useRegistry } from '../registry/registry.ts'

/** After the first screen is rendered, so that it is not delayed. */
const AFTER_MS = 1_500

/** Preloads the code of views that open by a shortcut. */
export function useWarm(): void {
  const { warm } = useRegistry()
  useEffect(() => {
    const timer = setTimeout(warm, AFTER_MS)
    return () => clearTimeout(timer)
  }, [warm])
}
