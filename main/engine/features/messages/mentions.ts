import { AppError } from '#shared/lib/app-error.ts'
import { asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import type { Placed } from '#shared/lib/order.ts'
import type { NearestMention } from '#shared/domain/message.ts'
import { search } from '#shared/wire/search.ts'
import * as channels from '#main/cache/channels/channels.ts'
import { nearestCachedMention, type Direction } from '#main/cache/messages/pages.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import type { Core, Requests } from '../../core.ts'
import { timeOf } from '../../decode/read.ts'
import { writeLoose } from '../../sync/write.ts'

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

type Parts = Requests & Pick<Core, 'cache' | 'log' | 'me' | 'serverNow'>

/**
 * The next message of others before or after this one that mentions the viewer. If messages between may be missing, the
 * server is searched. Without a connection it is the next cached one (then `isWhole` is false).
 */
export async function nearestMention(core: Parts, query: MentionQuery): Promise<NearestMention> {
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
