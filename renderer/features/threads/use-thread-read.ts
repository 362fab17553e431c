import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { usePageInView } from '../../lib/page/page-in-view.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { markThreadRead } from './commands.ts'

/** Being there is not yet reading. */
const DWELL_MS = 500

/**
 * Marks a thread read once its newest reply is in view, the window has the focus, and the reader stayed a moment.
 * `onAtEnd` is what the list calls when it reaches or leaves its end; `holdBack` ends all that until the thread is left,
 * after it was marked unread by hand.
 */
export function useThreadRead(
  cid: Cid,
  parentId: MessageId,
): { readonly onAtEnd: (atEnd: boolean) => void; readonly holdBack: () => void } {
  const dispatch = useAppDispatch()
  const [atEnd, setAtEnd] = useState(false)
  const [byHand, setByHand] = useState(false)
  const watching = usePageInView()
  const newest = useAppSelector(({ windows }) => windows.byKey[`thread:${parentId}`]?.ids.at(-1))
  useEffect(() => {
    if (!atEnd || byHand || !watching || newest === undefined) return undefined
    const timer = setTimeout(() => void dispatch(markThreadRead({ cid, parentId })), DWELL_MS)
    return () => clearTimeout(timer)
  }, [atEnd, byHand, watching, newest, dispatch, cid, parentId])
  const onAtEnd = useCallback((now: boolean) => setAtEnd(now), [])
  const holdBack = useCallback(() => setByHand(true), [])
  return useMemo(() => ({ onAtEnd, holdBack }), [onAtEnd, holdBack])
}
