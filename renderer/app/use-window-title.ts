import { useEffect } from 'react'
import { channelTitle, selectForYouTotal } from '../features/sidebar/index.ts'
import { useThreadTitle } from '../features/threads/index.ts'
import { useAppSelector, useConnection, useHost, useSession, useSetting } from '../store/hooks.ts'
import { selectForYouElsewhere } from '../store/accounts.ts'
import { selectRouteCid } from '../store/selectors.ts'

/** For the title and the icon: the number of unread messages for the viewer, and whether a sign-in is needed. */
type Attention = { readonly count: number; readonly needsSignIn: boolean }

/** Sets the title, "(2) release-4-2, Cairn Maps, Parlor", with "!" for the number while a sign-in is needed; the badge shows the same. */
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
  // This account by its rows, as on screen; the others by the count of each account.
  const total = useAppSelector((current) => selectForYouTotal(current) + selectForYouElsewhere(current))
  const signedIn = state === 'signed-in'
  return { count: signedIn ? total : 0, needsSignIn: signedIn && blocked !== undefined }
}

function markOf({ count, needsSignIn }: Attention): string {
  if (needsSignIn) return '(!) '
  return count > 0 ? `(${count}) ` : ''
}

/** The badge of an installed page, where the browser supports it; in Electron main sets it. */
function useIconBadge({ count, needsSignIn }: Attention): void {
  const { kind } = useHost()
  const { badge } = useSetting('notifications')
  useEffect(() => {
    if (kind !== 'browser' || !('setAppBadge' in navigator)) return
    // Without a number the badge is a dot.
    const set = needsSignIn ? navigator.setAppBadge() : navigator.setAppBadge(badge === 'off' ? 0 : count)
    set.catch(() => {
      // A page that is not installed has no badge; the title shows the number.
    })
  }, [kind, badge, count, needsSignIn])
}
