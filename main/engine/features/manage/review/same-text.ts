import type { SameText } from '#shared/domain/manage/review.ts'
import { asCid, asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { wordsOf } from '#shared/rules/search/search-fold.ts'
import { flagTarget, queryReviewQueue } from '#shared/wire/moderation.ts'
import { search } from '#shared/wire/messages.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as users from '#main/cache/people/users.ts'
import { ApiError } from '../../../api/errors.ts'
import type { EngineApi } from '../../../context.ts'
import type { Core } from '../../../core.ts'
import { asList, asWire, idOf, nameOf, textOf, timeOf } from '../../../decode/read.ts'
import { writeUser } from '../../../sync/write.ts'
import { findCached } from '../../search/ask.ts'
import { isOurs } from '../authority.ts'

/** More copies of one text are not listed. */
const MOST = 100
/** As many words are searched for; whether the rest is the same is checked here. */
const SEARCHED_WORDS = 30

type Parts = Pick<Core, 'asOf' | 'cache' | 'cacheWorker' | 'isHealthy' | 'life' | 'log' | 'me' | 'write'>

type Copy = Omit<SameText['copies'][number], 'itemId' | 'isDecided'>

/**
 * Other messages with the same words in the same order: from our own server what the viewer may search there, else from the
 * messages on this device. `undefined`: there is no word to search for, or the index of this device is being rebuilt.
 */
export async function sameText(
  core: Parts,
  api: EngineApi,
  { text, messageId }: { readonly text: string; readonly messageId: MessageId },
): Promise<SameText | undefined> {
  const wanted = wordsIn(text)
  if (wanted === '') return undefined
  const asked = isOurs(core) && core.isHealthy() ? await onServer(core, api, text) : undefined
  const found = asked ?? (await onDevice(core, text))
  const others = found.filter((each) => each.id !== messageId && wordsIn(each.text) === wanted)
  const items = await itemsOf(core, api, others)
  return {
    where: asked === undefined ? 'device' : 'server',
    copies: others.map((each) => ({ ...each, ...items.get(each.id) })),
  }
}

const wordsIn = (text: string): string =>
  wordsOf(text)
    .map(({ word }) => word)
    .join(' ')

async function onServer(core: Parts, api: EngineApi, text: string): Promise<readonly Copy[] | undefined> {
  const asOf = core.asOf()
  const words = wordsIn(text).split(' ').slice(0, SEARCHED_WORDS).join(' ')
  const ask = async (places: object) => {
    const payload = {
      filter_conditions: { ...places },
      message_filter_conditions: { text: { $q: words } },
      sort: [{ field: 'created_at', direction: -1 as const }],
      limit: MOST,
    }
    return asList((await api.send(search, { query: { payload }, signal: core.life })).results)
  }
  const refused = (error: unknown): undefined => {
    if (error instanceof ApiError && error.failure.kind === 'answer') return undefined
    throw error
  }
  // Whoever may not read every channel searches their own.
  const results =
    (await ask({ cid: { $gt: '' } }).catch(refused)) ?? (await ask({ members: { $in: [core.me] } }).catch(refused))
  if (results === undefined) return undefined
  return core.write((tx) =>
    results.flatMap((each): readonly Copy[] => {
      const wire = asWire(asWire(each)?.['message'])
      const [id, cid] = [idOf(wire?.['id']), idOf(wire?.['cid'])]
      const user = wire && writeUser(tx, wire['user'], asOf)
      if (!wire || id === undefined || cid === undefined || !user || wire['type'] === 'deleted') return []
      const parentId = idOf(wire['parent_id'])
      return [
        {
          id: asMessageId(id),
          cid: asCid(cid),
          parentId: parentId === undefined ? undefined : asMessageId(parentId),
          channelName: nameOf(asWire(wire['channel'])?.['name']),
          userId: user.id,
          text: textOf(wire['text']) ?? '',
          at: timeOf(wire['created_at']) ?? asOf,
        },
      ]
    }),
  )
}

async function onDevice(core: Parts, text: string): Promise<readonly Copy[]> {
  const words = wordsIn(text).split(' ').slice(0, SEARCHED_WORDS)
  const term = { start: 0, end: 0, words, prefix: false, exclude: false }
  const { keys } = await findCached(core, { query: { terms: [term], filters: [], problems: [] }, limit: MOST })
  return core.cache.read((reader) =>
    keys.flatMap(({ id }): readonly Copy[] => {
      const row = messages.byId(reader, asMessageId(id))
      if (!row || row.deletedAt !== undefined || !users.byId(reader, row.userId)) return []
      const { cid, parentId, userId, createdAt: at } = row
      return [{ id: row.id, cid, parentId, channelName: channels.byCid(reader, cid)?.name, userId, text: row.text, at }]
    }),
  )
}

type Known = Pick<SameText['copies'][number], 'itemId' | 'isDecided'>

/** Which of these messages are in the queue. */
async function itemsOf(
  core: Pick<Core, 'isHealthy' | 'life'>,
  api: EngineApi,
  copies: readonly Pick<Copy, 'id'>[],
): Promise<ReadonlyMap<string, Known>> {
  if (copies.length === 0 || !core.isHealthy()) return new Map()
  const body = { filter: { entity_id: { $in: copies.map(({ id }) => id) } }, limit: MOST }
  const { items } = await api.send(queryReviewQueue, { body, signal: core.life })
  return new Map(
    asList(items).flatMap((each): readonly (readonly [string, Known])[] => {
      const wire = asWire(each)
      const [itemId, messageId] = [idOf(wire?.['id']), idOf(wire?.['entity_id'])]
      if (itemId === undefined || messageId === undefined) return []
      return [[messageId, { itemId, isDecided: wire?.['status'] !== 'needs_review' }]]
    }),
  )
}

/** Reports what is not in the queue yet, in the viewer's own name. Returns the items of all of these messages that wait. */
export async function gather(
  core: Pick<Core, 'api' | 'isHealthy' | 'life'>,
  api: EngineApi,
  { messageIds, reason }: { readonly messageIds: readonly MessageId[]; readonly reason?: string },
): Promise<readonly string[]> {
  const copies = messageIds.map((id) => ({ id }))
  const known = await itemsOf(core, api, copies)
  for (const id of messageIds) {
    if (known.has(id)) continue
    const body = { target_message_id: id, ...(reason === undefined ? {} : { reason }) }
    await core.api.send(flagTarget, { body, signal: core.life }).catch((error: unknown) => {
      // Deleted meanwhile, or reported by the viewer before: the others are gathered.
      if (!(error instanceof ApiError) || error.failure.kind !== 'answer') throw error
    })
  }
  const now = await itemsOf(core, api, copies)
  return [...now.values()].flatMap(({ itemId, isDecided }) => (itemId === undefined || isDecided ? [] : [itemId]))
}
