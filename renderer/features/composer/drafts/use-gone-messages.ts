import { useEffect } from 'react'
import type { Message } from '#shared/domain/message.ts'
import { quoteDropped, type ComposerState } from '../../../store/composers/composers.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { selectMessage } from '../../../store/selectors.ts'
import type { Place } from '../place.ts'
import type { Facts } from '../send/decision.ts'

const isGone = (message: Message | undefined): boolean =>
  message !== undefined && (message.type === 'deleted' || message.deletedAt !== undefined)

/**
 * A message deleted elsewhere cannot be quoted or edited any longer: the quote goes, the edit stays open so that no word
 * is lost, and cannot be saved. See docs/wire.md 6.4 "message.deleted".
 *
 * @returns what the decision must know about a running edit
 */
export function useGoneMessages(place: Place, composer: ComposerState): Facts['editing'] {
  const dispatch = useAppDispatch()
  const quoted = useAppSelector((state) => (composer.quotedId ? selectMessage(state, composer.quotedId) : undefined))
  const editedId = composer.editing?.messageId
  const edited = useAppSelector((state) => (editedId === undefined ? undefined : selectMessage(state, editedId)))
  const quoteIsGone = isGone(quoted)
  useEffect(() => {
    if (quoteIsGone) dispatch(quoteDropped({ key: place.key }))
  }, [dispatch, place.key, quoteIsGone])
  if (composer.editing === undefined) return undefined
  const dropped = composer.editing.dropped ?? []
  const stays = edited?.attachments.some(({ index }) => !dropped.includes(index)) ?? false
  return { gone: isGone(edited), hasAttachments: stays }
}
