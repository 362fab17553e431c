import { useCallback } from 'react'
import type { MessageId } from '#shared/lib/brand.ts'
import { useAppStore } from '../../store/hooks.ts'
import { viewerOpened } from '../../store/window/overlays.ts'

/** Opens the viewer at one attachment of a message. */
export function useOpenViewer(messageId: MessageId): (index: number) => void {
  const store = useAppStore()
  return useCallback(
    (index) => {
      const cid = store.getState().entities.messages[messageId]?.cid
      if (cid !== undefined) store.dispatch(viewerOpened({ cid, messageId, index }))
    },
    [store, messageId],
  )
}
