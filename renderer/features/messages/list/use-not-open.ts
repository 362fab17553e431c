import { nanoid } from '@reduxjs/toolkit'
import { useEffect } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { selectRouteCid } from '../../../store/selectors.ts'
import { noticeRaised } from '../../../store/window/notices.ts'
import { placeRefused } from '../../../store/window/ui.ts'

const CLOSED: ReadonlySet<string> = new Set(['server/not-found', 'server/not-allowed', 'server/query-not-allowed'])

/** A conversation that was deleted or left, and that something still leads to: it is said, and one stays where one was. */
export function useNotOpen(cid: Cid, failure: string | undefined): void {
  const dispatch = useAppDispatch()
  const isElsewhere = useAppSelector(
    (state) =>
      state.entities.channels[cid] === undefined && selectRouteCid(state) === cid && state.ui.own === undefined,
  )
  const isClosed = isElsewhere && failure !== undefined && CLOSED.has(failure)
  useEffect(() => {
    if (!isClosed) return
    dispatch(placeRefused())
    const notice = { code: 'channel/not-open', type: 'channels:open', severity: 'warning' } as const
    dispatch(noticeRaised({ ...notice, id: `local-${nanoid()}`, createdAt: Date.now() }))
  }, [dispatch, isClosed])
}
