import { useEffect } from 'react'
import type { Message } from '#shared/domain/message.ts'
import { quoteDropped, type ComposerState } from '../../../store/composers/composers.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { selectMessage } from '../../../store/selectors.ts'
import type { Place } from '../place.ts'
import type { Facts } from '../send/decision.ts'

const isDeleted = (message: Message | undefined): boolean =>
  message !== undefined && (message.type === 'deleted' || message.deletedAt !== undefined)

/**
 * A message deleted elsewhere can no longer be quoted or edited: the quote is dropped; the edit stays open so that no
 * text is lost, but cannot be saved. See docs/wire.md 6.4 "message.deleted".
 *
 * @returns facts about the open edit for `decide`
 */
export function useDeletedMessages(place: Place, composer: ComposerState): Facts['editing'] {
  const dispatch = useAppDispatch()
  const quoted = useAppSelector((state) => (composer.quotedId ? selectMessage(state, composer.quotedId) : undefined))
  const editedId = composer.editing?.messageId
  const edited = useAppSelector((state) => (editedId === undefined ? undefined : selectMessage(state, editedId)))
  const isQuoteDeleted = isDeleted(quoted)
  useEffect(() => {
    if (isQuoteDeleted) dispatch(quoteDropped({ key: place.key }))
  }, [dispatch, place.key, isQuoteDeleted])
  if (composer.editing === undefined) return undefined
  const dropped = composer.editing.dropped ?? []
  const hasAttachments = edited?.attachments.some(({ index }) => !dropped.includes(index)) ?? false
  return { deleted: isDeleted(edited), hasAttachments }
}
