import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asUserId, type MessageId, type UserId, asMessageId, type Cid } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { queryReactions, runMessageAction, updateMessagePartial, search } from '#shared/wire/messages.ts'
import { deleteFile, deleteImage } from '#shared/wire/uploads.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import type { Placed, NearestMention } from '#shared/domain/message.ts'
import type { MessageRow } from '#main/cache/rows.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as removal from '#main/cache/messages/removal.ts'
import * as revisions from '#main/cache/messages/revisions.ts'
import * as channels from '#main/cache/channels/channels.ts'
import { nearestCachedMention, type Direction } from '#main/cache/messages/pages.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import { ApiError } from '../../api/errors.ts'
import type { CallContext } from '../../context.ts'
import { type Core, type Requests, requireConnection } from '../../core.ts'
import { asList, asWire, cursorOf, idOf, timeOf } from '../../decode/read.ts'
import { receiveMessage, rewriteMessage, writeUser, writeLoose } from '../../sync/write.ts'

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

/** Hits per request: some may be in threads only, or contain a broadcast mention only in a code block. */
const PAGE = 30
const PAGES = 5
/** Text of broadcast mentions: the contract has no other filter for them. */
const BROADCASTS = '@channel @here'

type MentionQuery = {
  readonly cid: Cid
  readonly parentId?: MessageId
  readonly messageId: MessageId
  readonly direction: Direction
}

type MentionsParts = Requests & Pick<Core, 'cache' | 'log' | 'me' | 'serverNow'>

/**
 * The next message of others before or after this one that mentions the viewer. If messages between may be missing, the
 * server is searched. Without a connection it is the next cached one (then `isWhole` is false).
 */
async function nearestMention(core: MentionsParts, query: MentionQuery): Promise<NearestMention> {
  const { cid, parentId, messageId, direction } = query
  const scope = parentId === undefined ? (`timeline:${cid}` as const) : (`thread:${parentId}` as const)
  const row = messages.byId(core.cache.reader, messageId)
  const from: Placed = { createdAt: row?.createdAt ?? core.serverNow(), id: messageId }
  const floor = channels.byCid(core.cache.reader, cid)?.hideBefore
  const held = (): Placed | undefined => nearestCachedMention(core.cache.reader, scope, from, direction, floor)
  const answer = (isWhole: boolean): NearestMention => {
    const found = held()
    return { id: found === undefined ? null : asMessageId(found.id), isWhole }
  }
  if (isWholeTo(core, scope, from, held(), direction)) return answer(true)
  if (!core.isHealthy() || core.cache.reader.isGuest === true) return answer(false)
  try {
    await Promise.all(questionsOf(core).map((question) => askFor(core, query, from, question, held)))
    return answer(true)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    core.log('mentions').info('server', { code: error.code })
    return answer(false)
  }
}

/** One range holds all from here to the one that was found; without one, to the end of the list. */
function isWholeTo(
  core: Pick<Core, 'cache'>,
  scope: `timeline:${Cid}` | `thread:${MessageId}`,
  from: Placed,
  found: Placed | undefined,
  direction: Direction,
): boolean {
  const here = ranges.at(core.cache.reader, scope, from)
  if (here === undefined) return false
  if (found === undefined) return direction === 'newer' ? !here.hasNext : !here.hasPrev
  return ranges.at(core.cache.reader, scope, found)?.first.id === here.first.id
}

const questionsOf = ({ me }: Pick<Core, 'me'>) =>
  [{ 'mentioned_users.id': { $contains: me } }, { text: { $any: BROADCASTS } }] as const

type Question = ReturnType<typeof questionsOf>[number]

/** Page by page, until one of them matches, or there are no more. The loaded messages are in the cache then. */
async function askFor(
  core: Pick<Core, 'api' | 'asOf' | 'life' | 'write'>,
  { cid, parentId, direction }: MentionQuery,
  from: Placed,
  question: Question,
  held: () => Placed | undefined,
): Promise<void> {
  let at = from.createdAt
  for (let page = 0; page < PAGES && !core.life.aborted; page += 1) {
    const bound = direction === 'newer' ? { $gte: formatTime(at) } : { $lte: formatTime(at) }
    const thread = parentId === undefined ? {} : { parent_id: { $eq: parentId } }
    const payload = {
      filter_conditions: { cid: { $in: [cid] } },
      message_filter_conditions: { ...question, ...thread, created_at: bound },
      sort: [{ field: 'created_at', direction: direction === 'newer' ? (1 as const) : (-1 as const) }],
      limit: PAGE,
    }
    const asOf = core.asOf()
    const { results } = await core.api.send(search, { query: { payload }, signal: core.life })
    core.write((tx) =>
      writeLoose(
        tx,
        results.map(({ message }) => message),
        { asOf, cid },
      ),
    )
    const last = timeOf(results.at(-1)?.message.created_at)
    const foundNow = held()
    const isPast =
      foundNow !== undefined &&
      last !== undefined &&
      (direction === 'newer' ? foundNow.createdAt <= last : foundNow.createdAt >= last)
    if (results.length < PAGE || last === undefined || last === at || isPast) return
    at = last
  }
}
