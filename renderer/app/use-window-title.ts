import { useEffect } from 'react'
import { channelTitle, selectForYouTotal } from '../features/sidebar/index.ts'
import { useThreadTitle } from '../features/threads/index.ts'
import { useAppSelector, useConnection, useHost, useSession, useSetting } from '../store/hooks.ts'
import { selectForYouElsewhere } from '../store/accounts.ts'
import { selectRouteCid } from '../store/selectors.ts'

/** What is said on the outside of the window: how much is meant for the viewer, and whether a sign-in is needed. */
type Attention = { readonly count: number; readonly needsSignIn: boolean }

/** "(2) release-4-2, Cairn Maps, Parlor", with "!" in place of the number while a sign-in is needed; the icon says the same. */
export function useWindowTitle(): void {
  const { workspace, state } = useSession()
  const attention = useAttention()
  const channel = useAppSelector((current) => channelTitle(current, selectRouteCid(current) ?? ''))
  const wide = useAppSelector(({ ui }) => (ui.route.view === 'thread' ? ui.route.parentId : undefined))
  const threadTitle = useThreadTitle(wide ?? '')
  const place = wide === undefined ? channel : threadTitle
  const signedIn = state === 'signed-in'
  const mark = markOf(attention)
  useEffect(() => {
    const parts = signedIn ? [place, workspace?.name ?? '', 'Parlor'].filter((part) => part !== '') : ['Parlor']
    document.title = `${mark}${parts.join(', ')}`
  }, [signedIn, mark, place, workspace?.name])
  useIconBadge(attention)
}

/** One count for the title and the icon. */
function useAttention(): Attention {
  const { state } = useSession()
  const { blocked } = useConnection()
  // Here by the rows, which the screen shows too; elsewhere by each account's own count.
  const total = useAppSelector((current) => selectForYouTotal(current) + selectForYouElsewhere(current))
  const signedIn = state === 'signed-in'
  return { count: signedIn ? total : 0, needsSignIn: signedIn && blocked !== undefined }
}

function markOf({ count, needsSignIn }: Attention): string {
  if (needsSignIn) return '(!) '
  return count > 0 ? `(${count}) ` : ''
}

/** On an installed page's icon, where the browser has one; elsewhere main does it. */
function useIconBadge({ count, needsSignIn }: Attention): void {
  const { kind } = useHost()
  const { badge } = useSetting('notifications')
  useEffect(() => {
    if (kind !== 'browser' || !('setAppBadge' in navigator)) return
    // Without a number it is a dot.
    const set = needsSignIn ? navigator.setAppBadge() : navigator.setAppBadge(badge === 'off' ? 0 : count)
    set.catch(() => {
      // A page that is not installed has no icon of its own; the title says the number.
    })
  }, [kind, badge, count, needsSignIn])
}
