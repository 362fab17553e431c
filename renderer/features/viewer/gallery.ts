import type { Attachment } from '#shared/domain/attachment.ts'
import type { Window, WindowKey } from '#shared/domain/changes.ts'
import type { Message } from '#shared/domain/message.ts'
import { isShown, type ViewerTarget } from '../../store/window/overlays.ts'
import type { AppState } from '../../store/store.ts'

/** One item of the gallery. `att/` and the `id` are its media reference. */
export type Item = { readonly id: string; readonly message: Message; readonly attachment: Attachment }

export const itemId = ({ messageId, index }: Pick<ViewerTarget, 'messageId' | 'index'>): string =>
  `${messageId}.${index}`

/**
 * The list that the viewer moves through: the channel's timeline if it has the message, else an open thread. Determined
 * once, when the viewer opens, because the message may be removed meanwhile.
 */
export function listAround(state: AppState, { cid, messageId }: ViewerTarget): WindowKey | undefined {
  const windows = Object.values(state.windows.byKey)
  const isThread = ({ key }: Window): boolean => key.startsWith('thread:')
  const lists = [...windows.filter(({ key }) => key === `timeline:${cid}`), ...windows.filter(isThread)]
  return lists.find(({ ids }) => ids.includes(messageId))?.key
}

/** Messages with media, oldest first: the given ones, else those loaded in the list, else the single message. */
export function galleryMessages(
  state: AppState,
  list: WindowKey | undefined,
  { messageId, among = [] }: Pick<ViewerTarget, 'messageId' | 'among'>,
): readonly Message[] {
  const given = new Map(among.map((message) => [message.id as string, message]))
  const ids =
    given.size > 0 ? [...given.keys()] : list === undefined ? [messageId] : (state.windows.byKey[list]?.ids ?? [])
  return ids.flatMap((id) => {
    const message = state.entities.messages[id] ?? given.get(id)
    return message !== undefined && message.deletedAt === undefined && message.attachments.some(isShown) ? message : []
  })
}

export const itemsOf = (messages: readonly Message[]): readonly Item[] =>
  messages.flatMap((message) =>
    message.attachments
      .filter(isShown)
      .map((attachment) => ({ id: itemId({ messageId: message.id, index: attachment.index }), message, attachment })),
  )
