import type { Attachment } from '#shared/domain/attachment.ts'
import type { Message } from '#shared/domain/message.ts'
import { isShown } from '../../lib/viewable.ts'
import type { ViewerAsked } from '../../store/overlays.ts'
import type { AppState } from '../../store/store.ts'

/** One thing to look at. `id` names its bytes too, once `att/` stands before it. */
export type Item = { readonly id: string; readonly message: Message; readonly attachment: Attachment }

export const itemId = ({ messageId, index }: Pick<ViewerAsked, 'messageId' | 'index'>): string =>
  `${messageId}.${index}`

/**
 * Messages that have something to show, oldest first: those of the list that holds the message (its channel's timeline,
 * else an open thread), as far as it is loaded; where no list holds it, the message alone.
 */
export function galleryMessages(state: AppState, { cid, messageId }: ViewerAsked): readonly Message[] {
  const windows = state.windows.byKey
  const threads = Object.keys(windows).filter((key) => key.startsWith('thread:'))
  const list = [`timeline:${cid}`, ...threads].find((key) => windows[key as 'outbox']?.ids.includes(messageId))
  const ids = list === undefined ? [messageId] : (windows[list as 'outbox']?.ids ?? [])
  return ids.flatMap((id) => {
    const message = state.entities.messages[id]
    return message !== undefined && message.deletedAt === undefined && message.attachments.some(isShown) ? message : []
  })
}

export const itemsOf = (messages: readonly Message[]): readonly Item[] =>
  messages.flatMap((message) =>
    message.attachments
      .filter(isShown)
      .map((attachment) => ({ id: itemId({ messageId: message.id, index: attachment.index }), message, attachment })),
  )
