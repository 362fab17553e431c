import { useCallback, useEffect, useState } from 'react'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { usePageInView } from '../../lib/page-in-view.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { markThreadRead } from './commands.ts'

/** Being there is not yet reading. Source: product paper 4.3 "dwell of 500 ms". */
const DWELL_MS = 500

/**
 * Marks a thread read once its newest reply is in view, the window has the focus, and the reader stayed a moment. Gives
 * back what the list calls when it reaches or leaves its end.
 */
export function useThreadRead(cid: Cid, parentId: MessageId): (atEnd: boolean) => void {
  const dispatch = useAppDispatch()
  const [atEnd, setAtEnd] = useState(false)
  const watching = usePageInView()
  const newest = useAppSelector(({ windows }) => windows.byKey[`thread:${parentId}`]?.ids.at(-1))
  useEffect(() => {
    if (!atEnd || !watching || newest === undefined) return undefined
    const timer = setTimeout(() => void dispatch(markThreadRead({ cid, parentId })), DWELL_MS)
    return () => clearTimeout(timer)
  }, [atEnd, watching, newest, dispatch, cid, parentId])
  return useCallback((now: boolean) => setAtEnd(now), [])
}
