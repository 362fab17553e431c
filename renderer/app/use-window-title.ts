import { useEffect } from 'react'
import { channelTitle, selectForYouTotal } from '../features/channels/index.ts'
import { useThreadTitle } from '../features/threads/index.ts'
import { useAppSelector, useSession } from '../store/hooks.ts'
import { selectOpenCid } from '../store/selectors.ts'

/** "(2) release-4-2, Cairn Maps, Parlor". */
export function useWindowTitle(): void {
  const { workspace, state } = useSession()
  const total = useAppSelector(selectForYouTotal)
  const channel = useAppSelector((current) => channelTitle(current, selectOpenCid(current) ?? ''))
  const wide = useAppSelector(({ ui }) => (ui.route.view === 'thread' ? ui.route.parentId : undefined))
  const threadTitle = useThreadTitle(wide ?? '')
  const place = wide === undefined ? channel : threadTitle
  const signedIn = state === 'signed-in'
  useEffect(() => {
    const parts = signedIn ? [place, workspace?.name ?? '', 'Parlor'].filter((part) => part !== '') : ['Parlor']
    document.title = `${signedIn && total > 0 ? `(${total}) ` : ''}${parts.join(', ')}`
  }, [signedIn, total, place, workspace?.name])
}
