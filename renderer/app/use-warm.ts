import { useEffect } from 'react'
import { warmSearch } from '../features/search/index.ts'
import { warmSettings } from '../features/settings/index.ts'
import { warmSwitcher } from '../features/switcher/index.ts'

/** After the first screen is rendered, so that it is not delayed. */
const AFTER_MS = 1_500

/** Preloads the code of views that open by a shortcut. */
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
