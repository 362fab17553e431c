import { useEffect, useRef } from 'react'
import type { WindowKey } from '#shared/domain/changes.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useAppStore, useChannel, useConnection, useWindow } from '../../../store/hooks.ts'
import type { Course, Target } from './course.ts'
import type { ListView } from './list-view.ts'

type Options = {
  readonly list: WindowKey
  readonly cid: Cid
  readonly remembers: boolean
  readonly view: ListView
  readonly course: Course
  readonly go: (target: Target) => void
}

/**
 * A channel that is opened before the connection is there is shown as it was. What came while Parlor was closed is known
 * only with its first page: where no one has scrolled or jumped by then, the list goes to the unread line.
 */
export function useMissed({ list, cid, remembers, view, course, go }: Options): void {
  const store = useAppStore()
  const isHealthy = useConnection().state === 'healthy'
  const loading = useWindow(list)?.loading ?? 'none'
  const unread = useChannel(cid)?.unread ?? 0
  const first = useRef(course.unfinished?.visit)
  const stage = useRef<'waiting' | 'asking' | 'over'>(remembers && !isHealthy && unread === 0 ? 'waiting' : 'over')
  useEffect(() => {
    if (stage.current === 'waiting' && isHealthy && loading !== 'none') stage.current = 'asking'
    const isDue = stage.current !== 'over' && unread > 0
    if (isDue || (stage.current === 'asking' && loading === 'none')) stage.current = 'over'
    const { visit, target } = course.unfinished ?? course.finished ?? {}
    const isOpening = visit === first.current && (target?.kind === 'newest' || target?.kind === 'back')
    if (!isDue || !isOpening || !view.isUntouched) return
    go({ kind: 'unread', id: store.getState().entities.channels[cid]?.firstUnreadId })
  }, [isHealthy, loading, unread, store, cid, course, view, go])
}
