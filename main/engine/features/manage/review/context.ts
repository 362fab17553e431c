import type { ContextMessage } from '#shared/domain/manage/review.ts'
import { asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { getChannel, queryChannel } from '#shared/wire/channels.ts'
import { getReplies } from '#shared/wire/messages.ts'
import { ApiError } from '../../../api/errors.ts'
import type { Requests } from '../../../core.ts'
import { asList, asWire, idOf, textOf, timeOf } from '../../../decode/read.ts'
import { writeUser } from '../../../sync/write.ts'

/** Messages shown before and after the reported one. */
const EACH_SIDE = 3

type Place = { readonly cid: Cid; readonly messageId: MessageId; readonly parentId?: MessageId }

/**
 * The messages around one, from the server: the viewer may be no member of the channel, so they are not stored with the
 * channel's history.
 */
export async function readContext(
  core: Requests,
  { cid, messageId, parentId }: Place,
): Promise<{ messages: readonly ContextMessage[]; refused: boolean }> {
  const asOf = core.asOf()
  const around = { limit: 2 * EACH_SIDE + 1, id_around: messageId }
  try {
    const found = asList(
      parentId === undefined
        ? await channelAround(core, cid, around)
        : (await core.api.send(getReplies, { params: { id: parentId }, query: around, signal: core.life })).messages,
    )
    const messages = core.write((tx) =>
      found.flatMap((value): readonly ContextMessage[] => {
        const wire = asWire(value)
        const id = idOf(wire?.['id'])
        const user = wire && writeUser(tx, wire['user'], asOf)
        if (!wire || id === undefined || !user) return []
        return [
          {
            id: asMessageId(id),
            userId: user.id,
            text: textOf(wire['text']) ?? '',
            fileCount: asList(wire['attachments']).length,
            at: timeOf(wire['created_at']) ?? asOf,
            isDeleted: wire['type'] === 'deleted',
          },
        ]
      }),
    )
    return { messages: nearest(messages, messageId), refused: false }
  } catch (error) {
    if (error instanceof ApiError && (error.class === 'forbidden' || error.class === 'gone')) {
      return { messages: [], refused: true }
    }
    throw error
  }
}

/** The request that reads around a message creates missing channels, so the channel is asked for first. */
async function channelAround(core: Requests, cid: Cid, messages: { limit: number; id_around: MessageId }) {
  const params = splitCid(cid)
  const query = { state: false, messages_limit: 1, members_limit: 1 }
  await core.api.send(getChannel, { params, query, signal: core.life })
  const body = { state: true, messages, members: { limit: 1 } }
  return (await core.api.send(queryChannel, { params, body, signal: core.life })).messages
}

function nearest(messages: readonly ContextMessage[], id: MessageId): readonly ContextMessage[] {
  const at = messages.findIndex((message) => message.id === id)
  return at < 0 ? messages.slice(0, 2 * EACH_SIDE + 1) : messages.slice(Math.max(0, at - EACH_SIDE), at + EACH_SIDE + 1)
}
