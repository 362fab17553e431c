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
  /** Somebody outside the list asked: a hit of a search, a link, the list of pins. */
  readonly onForeign: () => void
  /** The list moves away from where it stood; not told when it has just come. */
  readonly onMove: () => void
}

/**
 * Answers wishes to see a message: at once when it is held, else by loading around it first. The row is tinted for a
 * moment. Gives back how to make such a wish for this list.
 */
export function useJump({
  cid,
  parentId,
  ids,
  view,
  onAround,
  onForeign,
  onMove,
}: Options): (messageId: MessageId) => void {
  const dispatch = useAppDispatch()
  const wish = useAppSelector(({ ui }) => (ui.jump?.cid === cid && ui.jump.parentId === parentId ? ui.jump : undefined))
  const loading = useRef(0)
  const own = useRef<MessageId>(undefined)
  const seen = useRef(0)
  const wasHere = useRef(false)
  useEffect(() => {
    const isNew = !wasHere.current
    wasHere.current = true
    if (wish === undefined) return
    if (seen.current !== wish.nonce && !isNew) onMove()
    if (seen.current !== wish.nonce && own.current !== wish.messageId) onForeign()
    seen.current = wish.nonce
    own.current = undefined
    if (ids.includes(wish.messageId)) {
      view.show(wish.messageId)
      dispatch(jumpDone())
    } else if (loading.current !== wish.nonce) {
      loading.current = wish.nonce
      onAround(wish.messageId)
    }
  }, [wish, ids, view, dispatch, onAround, onForeign, onMove])
  return useCallback(
    (messageId: MessageId) => {
      own.current = messageId
      dispatch(jumpAsked({ cid, messageId, ...(parentId === undefined ? {} : { parentId }) }))
    },
    [dispatch, cid, parentId],
  )
}
