import { useEffect, useRef } from 'react'
import type { WindowKey } from '#shared/domain/changes.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useAppStore, useChannel, useConnection, useWindow } from '../../../store/hooks.ts'
import type { ListNavigation, Target } from './list-navigation.ts'
import type { ListView } from './list-view.ts'

type Options = {
  readonly list: WindowKey
  readonly cid: Cid
  readonly remembers: boolean
  readonly view: ListView
  readonly navigation: ListNavigation
  readonly go: (target: Target) => void
}

/**
 * A channel that is opened while disconnected shows its cached messages. Messages that arrived while Parlor was closed
 * are known only after its first page is loaded: if the user has not scrolled or jumped by then, the list goes to the
 * unread line.
 */
export function useMissed({ list, cid, remembers, view, navigation, go }: Options): void {
  const store = useAppStore()
  const isHealthy = useConnection().state === 'healthy'
  const loading = useWindow(list)?.loading ?? 'none'
  const unread = useChannel(cid)?.unread ?? 0
  const first = useRef(navigation.pending?.visit)
  const stage = useRef<'waiting' | 'loading' | 'done'>(remembers && !isHealthy && unread === 0 ? 'waiting' : 'done')
  useEffect(() => {
    if (stage.current === 'waiting' && isHealthy && loading !== 'none') stage.current = 'loading'
    const isDue = stage.current !== 'done' && unread > 0
    if (isDue || (stage.current === 'loading' && loading === 'none')) stage.current = 'done'
    const { visit, target } = navigation.pending ?? navigation.completed ?? {}
    const isOpening = visit === first.current && (target?.kind === 'newest' || target?.kind === 'back')
    if (!isDue || !isOpening || !view.isUntouched) return
    go({ kind: 'unread', id: store.getState().entities.channels[cid]?.firstUnreadId })
  }, [isHealthy, loading, unread, store, cid, navigation, view, go])
}
