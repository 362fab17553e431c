import type { AttachmentKind } from '#shared/domain/attachment.ts'
import type { ShelfCount, ShelfName, ShelfPage } from '#shared/domain/channel-details.ts'
import { asMessageId, type Cid } from '#shared/lib/brand.ts'
import type { HasWhat } from '#shared/rules/search-names-of-filters.ts'
import { parseQuery } from '#shared/rules/search-query.ts'
import type { SearchRequest } from '#main/cache/search/query.ts'
import * as messages from '#main/cache/tables/messages.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { visiblePoll } from '../../changes/visible.ts'
import type { Core } from '../../core.ts'
import { findHeld } from '../search/held.ts'
import { askServer } from '../search/server.ts'

/** What a message must have to stand on a shelf: any one of these. */
const HAS: Readonly<Record<ShelfName, readonly HasWhat[]>> = {
  media: ['image', 'video'],
  files: ['file', 'audio'],
  links: ['link'],
  polls: ['poll'],
}

/** Messages read for the counts beside the rows of the details. */
const COUNTED = 100

type Input = {
  readonly cid: Cid
  readonly shelf: ShelfName
  readonly text: string
  readonly cursor?: { readonly createdAt: number; readonly id: string } | undefined
  readonly limit: number
  readonly ask: 'cache' | 'server'
}

/** A page of a shelf: the search of one channel, by what its messages hold. */
export async function shelfPage(core: Core, input: Input): Promise<ShelfPage> {
  const request = requestOf(core, input)
  let answer = await findHeld(core, request)
  let server: ShelfPage['server'] = 'not-asked'
  if (input.ask === 'server') {
    server = (await askServer(core, { typed: input.text, request, answer })) ? 'asked' : 'unreachable'
    if (server === 'asked') answer = await findHeld(core, request)
  }
  const held = answer.keys.flatMap(({ id }) => visibleMessage(core.sight, asMessageId(id)) ?? [])
  const shown = held.filter((message) => message.type !== 'deleted' && message.deletedAt === undefined)
  const last = answer.keys.at(-1)
  return {
    messages: shown,
    polls: shown.flatMap(({ pollId }) => (pollId === undefined ? [] : (visiblePoll(core.sight, pollId) ?? []))),
    ...(answer.hasMore && last ? { next: last } : {}),
    server,
  }
}

/** Things, not messages: one message may hold several pictures. */
export async function countShelf(core: Core, cid: Cid, shelf: ShelfName): Promise<ShelfCount> {
  const request = requestOf(core, { cid, shelf, text: '', limit: COUNTED })
  const { keys, hasMore } = await findHeld(core, request)
  const kinds = KINDS[shelf]
  if (kinds === undefined) return { count: keys.length, more: hasMore }
  const rows = messages.byIds(
    core.cache.reader,
    keys.map(({ id }) => id),
  )
  const count = rows.reduce((sum, row) => sum + row.attachments.filter(({ kind }) => kinds.includes(kind)).length, 0)
  return { count, more: hasMore }
}

const KINDS: Readonly<Partial<Record<ShelfName, readonly AttachmentKind[]>>> = {
  media: ['image', 'giphy', 'video'],
  files: ['file', 'audio', 'voiceRecording', 'other'],
}

function requestOf(core: Core, { cid, shelf, text, cursor, limit }: Omit<Input, 'ask'>): SearchRequest {
  const now = new Date(core.ports.clock.now())
  const today = { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() }
  return { query: parseQuery(text, today), cid, limit, after: cursor, hasAny: HAS[shelf] }
}
