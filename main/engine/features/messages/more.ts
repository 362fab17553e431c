import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asUserId, type MessageId, type UserId } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { queryReactions, runMessageAction, updateMessagePartial } from '#shared/wire/messages.ts'
import { deleteFile, deleteImage } from '#shared/wire/uploads.ts'
import type { MessageRow } from '#main/cache/rows.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as removal from '#main/cache/messages/removal.ts'
import * as revisions from '#main/cache/messages/revisions.ts'
import { ApiError } from '../../api/errors.ts'
import type { CallContext } from '../../context.ts'
import type { Core, Requests } from '../../core.ts'
import { asList, asWire, cursorOf, idOf } from '../../decode/read.ts'
import { receiveMessage, rewriteMessage, writeUser } from '../../sync/write.ts'
import { requireConnection } from '../require-connection.ts'
import { nearestMention } from './mentions.ts'

type Calls = Pick<
  HandlersOf<'messages', CallContext>,
  'press' | 'dismiss' | 'reactors' | 'revisions' | 'deleteFile' | 'alsoInChannel' | 'nearestMention'
>

type Parts = Requests & Pick<Core, 'cache' | 'log' | 'me' | 'serverNow' | 'watched'>

/** Message calls that go to the server at once or read the cache: nothing is queued. */
export function moreMessageCalls(core: Parts): Calls {
  return {
    press: ({ messageId, name, value }) => press(core, messageId, { [name]: value }),
    dismiss: ({ messageId }) => {
      const row = mine(core, messageId)
      core.write((tx) => removal.drop(tx, row.id))
    },
    reactors: ({ messageId, type, next }) => reactors(core, messageId, type, next),
    revisions: ({ messageId }) => core.cache.read(() => revisions.of(core.cache.reader, messageId)),
    deleteFile: ({ messageId, index }) => removeFile(core, messageId, index),
    nearestMention: (input) => nearestMention(core, input),
    alsoInChannel: ({ messageId }) => alsoInChannel(core, messageId),
  }
}

const REACTORS = 100

/** A page of the people who reacted with one type; a message holds only the newest ones. */
async function reactors(
  core: Parts,
  id: MessageId,
  type: string,
  next: string | undefined,
): Promise<{ readonly userIds: readonly UserId[]; readonly next?: string }> {
  requireConnection(core)
  const asOf = core.asOf()
  const reply = await core.api.send(queryReactions, {
    params: { id },
    body: { filter: { type }, sort: [{ field: 'created_at', direction: -1 }], limit: REACTORS, next },
    signal: core.life,
  })
  const userIds = core.write((tx) =>
    asList(reply.reactions).flatMap((each) => {
      const wire = asWire(each)
      const row = wire?.['user'] ? writeUser(tx, wire['user'], asOf) : undefined
      const userId = row?.id ?? idOf(wire?.['user_id'])
      return userId === undefined ? [] : [asUserId(userId)]
    }),
  )
  return { userIds, next: cursorOf(reply.next, next) }
}

/** Shows an own thread reply in the channel too. */
async function alsoInChannel(core: Parts, id: MessageId): Promise<void> {
  const row = messages.byId(core.cache.reader, id)
  if (row?.userId !== core.me) throw new AppError('message/gone')
  requireConnection(core)
  const asOf = core.asOf()
  const { message } = await core.api.send(updateMessagePartial, {
    params: { id },
    body: { set: { show_in_channel: true } },
    cid: row.cid,
    signal: core.life,
  })
  core.write((tx) => void rewriteMessage(tx, message, { asOf, cid: row.cid, isAnswer: true }))
}

/**
 * Presses a button of a command's response. A message in the reply replaces the response, none removes it. If the server
 * no longer has the response, it is removed from the screen too. See docs/wire.md 7.8 "run command action".
 */
async function press(core: Parts, id: MessageId, form: Readonly<Record<string, string>>): Promise<void> {
  const row = mine(core, id)
  requireConnection(core)
  const place = splitCid(row.cid)
  const asOf = core.asOf()
  try {
    const { message } = await core.api.send(runMessageAction, {
      params: { id },
      body: { message_id: id, form_data: form, ...place },
      cid: row.cid,
      signal: core.life,
    })
    core.write((tx) => {
      // The sent message takes the id of the response and arrives as an event like any other.
      removal.drop(tx, id)
      if (message) receiveMessage(tx, message, { asOf, cid: row.cid, live: core.watched.has(row.cid), isAnswer: true })
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.class !== 'gone') throw error
    core.write((tx) => removal.drop(tx, id))
    throw new AppError('message/answer-over', { cause: error })
  }
}

async function removeFile(core: Parts, id: MessageId, index: number): Promise<void> {
  const row = messages.byId(core.cache.reader, id)
  const file = row?.userId === core.me ? row.attachments[index] : undefined
  if (row === undefined || file?.url === undefined) throw new AppError('message/gone')
  requireConnection(core)
  const request = { params: splitCid(row.cid), query: { url: file.url }, signal: core.life }
  try {
    await core.api.send(file.kind === 'image' ? deleteImage : deleteFile, request)
  } catch (error) {
    if (!(error instanceof ApiError) || error.class !== 'gone') throw error
  }
}

/** A response that only the viewer sees; other messages may not be removed this way. */
function mine(core: Pick<Core, 'cache'>, id: MessageId): MessageRow {
  const row = messages.byId(core.cache.reader, id)
  if (row === undefined || (row.type !== 'ephemeral' && row.type !== 'error')) throw new AppError('message/gone')
  return row
}
