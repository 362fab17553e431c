import { useEffect } from 'react'
import { warmSearch } from '../features/search/index.ts'
import { warmSettings } from '../features/settings/index.ts'
import { warmSwitcher } from '../features/switcher/index.ts'

/** After the first screen stands, so that nothing on it waits. */
const AFTER_MS = 1_500

/** Fetches code that keys open before anyone presses them. */
export function useWarm(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      warmSwitcher()
      warmSearch()
      warmSettings()
    }, AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
}
