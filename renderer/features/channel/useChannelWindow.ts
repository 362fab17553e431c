import { useEffect, useState } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Window } from '#shared/domain/changes.ts'
import { useAppDispatch, useAttachCount, useWindow } from '../../store/hooks.ts'
import { closeChannel, openChannel } from './commands.ts'

/**
 * Opens the timeline of a channel while the component is there, and again after the page attached anew. Data arrives by
 * change-sets; `refused` is why it could not be opened.
 */
export function useChannelWindow(cid: Cid): {
  readonly window: Window | undefined
  readonly refused: ErrorBody | undefined
} {
  const dispatch = useAppDispatch()
  const attachCount = useAttachCount()
  const window = useWindow(`timeline:${cid}`)
  const [refused, setRefused] = useState<{ cid: Cid; error: ErrorBody }>()
  useEffect(() => {
    if (attachCount === 0) return undefined
    let live = true
    const open = async (): Promise<void> => {
      const opened = await dispatch(openChannel({ cid }))
      if (live) setRefused(opened.ok ? undefined : { cid, error: opened.error })
    }
    void open()
    return () => {
      live = false
    }
  }, [dispatch, cid, attachCount])
  useEffect(() => () => void dispatch(closeChannel({ cid })), [dispatch, cid])
  return { window, refused: refused?.cid === cid ? refused.error : undefined }
}
