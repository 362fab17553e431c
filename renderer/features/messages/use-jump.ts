import { useCallback, useEffect, useRef } from 'react'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { jumpAsked, jumpDone } from '../../store/ui.ts'
import type { ListView } from './list/list-view.ts'

type Options = {
  readonly cid: Cid
  readonly parentId: MessageId | undefined
  readonly ids: readonly string[]
  readonly view: ListView
  readonly onAround: (messageId: MessageId) => void
}

/**
 * Answers wishes to see a message: at once when it is held, else by loading around it first. The row is tinted for a
 * moment. Gives back how to make such a wish for this list.
 */
export function useJump({ cid, parentId, ids, view, onAround }: Options): (messageId: MessageId) => void {
  const dispatch = useAppDispatch()
  const wish = useAppSelector(({ ui }) => (ui.jump?.cid === cid && ui.jump.parentId === parentId ? ui.jump : undefined))
  const loading = useRef(0)
  useEffect(() => {
    if (wish === undefined) return
    if (ids.includes(wish.messageId)) {
      view.show(wish.messageId)
      dispatch(jumpDone())
    } else if (loading.current !== wish.nonce) {
      loading.current = wish.nonce
      onAround(wish.messageId)
    }
  }, [wish, ids, view, dispatch, onAround])
  return useCallback(
    (messageId: MessageId) => {
      dispatch(jumpAsked({ cid, messageId, ...(parentId === undefined ? {} : { parentId }) }))
    },
    [dispatch, cid, parentId],
  )
}
