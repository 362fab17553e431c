import { useCallback, useEffect, useState } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { useAppDispatch, useAttachCount } from '../../store/hooks.ts'
import { enterTimeline, leaveTimeline } from './commands.ts'

/**
 * Opens the window of a channel for as long as its list is there, and again after the page attached anew. Rows arrive by
 * change-sets; `refused` is the code of why it could not be opened.
 */
export function useTimelineWindow(cid: Cid): {
  readonly refused: string | undefined
  readonly open: () => Promise<void>
} {
  const dispatch = useAppDispatch()
  const attached = useAttachCount()
  const [refused, setRefused] = useState<string>()
  const open = useCallback(
    () => dispatch(enterTimeline({ cid })).then((opened) => setRefused(opened.ok ? undefined : opened.error.code)),
    [dispatch, cid],
  )
  useEffect(() => {
    if (attached >= 0) void open()
  }, [open, attached])
  // Leaving is a courtesy: a page that is going away may not be able to say so.
  useEffect(() => () => void dispatch(leaveTimeline({ cid })), [dispatch, cid])
  return { refused, open }
}
