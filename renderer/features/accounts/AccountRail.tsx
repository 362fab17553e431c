import { overlayPart } from '../../lib/page/part.tsx'
import { selectHasRail } from '../../store/accounts.ts'
import { useAccountsInMenu, useAppSelector } from '../../store/hooks.ts'

export const Rail = overlayPart(async () => (await import('./Rail.tsx')).Rail)

/**
 * The accounts of this profile at the edge of the window; nothing if there is only one, or no room for a second rail. Most
 * people have one, so its code is loaded with the second.
 */
export function AccountRail() {
  const inMenu = useAccountsInMenu()
  const isShown = useAppSelector(selectHasRail) && !inMenu
  return isShown ? <Rail /> : null
}
