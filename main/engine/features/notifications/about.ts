import type { AttachmentKind } from '#shared/domain/attachment.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { Arrival, ArrivalPlace } from '#shared/rules/notifications/notifying.ts'
import { isNamed } from '#shared/rules/messages/mentions.ts'
import type { ReadContext } from '../../changes/memory.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { visibleChannel, visibleUser } from '../../changes/visible.ts'

/** A message as notifications need it: for the decision and for the text. */
export type AboutArrival = {
  readonly message: Arrival
  readonly place: ArrivalPlace
  readonly cid: Cid
  readonly parentId: MessageId | undefined
  readonly authorMuted: boolean
  readonly author: string
  /** Name of the channel; empty in a conversation of two. */
  readonly placeName: string
  /** Kinds of its attachments, for messages without text. */
  readonly attachments: readonly AttachmentKind[]
}

export function aboutArrival(context: ReadContext, messageId: MessageId): AboutArrival | undefined {
  const message = visibleMessage(context, messageId)
  const channel = message && visibleChannel(context, message.cid)
  if (!message || !channel) return undefined
  const author = visibleUser(context, message.userId)
  const { parentId } = message
  const thread = parentId === undefined ? undefined : visibleMessage(context, parentId)?.thread
  const onlyInThread = parentId !== undefined && !message.showInChannel
  return {
    message: {
      userId: message.userId,
      type: message.type,
      text: message.text,
      silent: message.silent,
      shadowed: message.shadowed,
      mentionsViewer: isNamed(message, context.me),
      onlyInThread,
      followed: thread?.following === true,
      createdAt: message.createdAt,
    },
    place: {
      cid: message.cid,
      direct: channel.directUserIds.length > 0,
      muted: channel.muted,
      lastReadAt: (onlyInThread ? thread?.lastReadAt : channel.lastReadAt) ?? 0,
    },
    cid: message.cid,
    parentId,
    authorMuted: author?.muted === true || author?.blocked === true,
    author: author?.name ?? message.userId,
    placeName: channel.directUserId === undefined ? channel.name : '',
    attachments: message.attachments.map(({ kind }) => kind),
  }
}
