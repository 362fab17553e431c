import type { ExportSpan } from '#shared/domain/export.ts'
import { INITIAL_MESSAGE_PAGE, REPLY_PAGE } from '#shared/constants.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import { type Range, rangeAt } from '#shared/rules/messages/message-ranges.ts'
import type { RangeScope } from '#main/cache/rows.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as pages from '#main/cache/messages/pages.ts'
import * as ranges from '#main/cache/messages/ranges.ts'
import type { Reader } from '#main/cache/store.ts'
import { type Core, requireConnection, type Timelines } from '../../core.ts'
import type { ReadContext } from '../../changes/memory.ts'
import { fetchChannel, fetchReplies } from '../channels/fetch.ts'

type Parts = Timelines & Pick<Core, 'cache' | 'isHealthy'>

/** Messages of a channel that are only on the server, and in a period. */
export type OlderOrder = {
  readonly cid: Cid
  readonly span: ExportSpan
  readonly signal: AbortSignal
  /** How many messages of the period are on this device now. */
  readonly onLoaded: (messages: number) => void
}

/**
 * Fetches everything of a channel in a period, its threads too, as if the viewer had scrolled there. Ends early when it is
 * aborted; what was fetched stays. Rejects with the server's or the network's error.
 */
export async function loadOlder(core: Parts, { cid, span, signal, onLoaded }: OlderOrder): Promise<void> {
  requireConnection(core)
  const scope: RangeScope = `timeline:${cid}`
  const { reader } = core.cache
  if (ranges.latest(reader, scope) === undefined)
    await fetchChannel(core, cid, { kind: 'newest' }, INITIAL_MESSAGE_PAGE)
  // A period that ended long ago is not reached by paging through everything since.
  const end = { createdAt: span.until ?? Infinity, id: '' }
  const isFar = (ranges.latest(reader, scope)?.first.createdAt ?? -Infinity) > end.createdAt
  if (isFar && rangeAt(ranges.of(reader, scope), end) === undefined)
    await fetchChannel(core, cid, { kind: 'around', target: end }, INITIAL_MESSAGE_PAGE)
  await fill(core, scope, span, signal, async (gap) => {
    await fetchChannel(core, cid, { kind: 'older', cursor: gap.first }, INITIAL_MESSAGE_PAGE)
    onLoaded(pages.countWithin(reader, cid, span.from ?? 0, span.until ?? Number.MAX_SAFE_INTEGER))
  })
  for (const parentId of threadsOf(core.cache.reader, cid, span)) {
    if (signal.aborted) return
    const thread: RangeScope = `thread:${parentId}`
    if (ranges.latest(core.cache.reader, thread) === undefined)
      await fetchReplies(core, { cid, parentId }, { kind: 'newest' }, REPLY_PAGE)
    await fill(core, thread, span, signal, (gap) =>
      fetchReplies(core, { cid, parentId }, { kind: 'older', cursor: gap.first }),
    )
  }
}

/** Asks for what is before each gap, newest first, until there is none, or the server answers with nothing new. */
async function fill(
  core: Parts,
  scope: RangeScope,
  span: ExportSpan,
  signal: AbortSignal,
  ask: (gap: Range) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const known = ranges.of(core.cache.reader, scope)
    const gap = newestGap(known, span)
    if (gap === undefined) return
    await ask(gap)
    if (isSame(known, ranges.of(core.cache.reader, scope))) return
  }
}

/** The newest range of a period before which something is missing. */
const newestGap = (known: readonly Range[], { from = -Infinity, until = Infinity }: ExportSpan): Range | undefined =>
  known.findLast(({ first, hasPrev }, index) => {
    const before = known[index - 1]?.last.createdAt ?? -Infinity
    return hasPrev && first.createdAt >= from && before < until
  })

/**
 * Up to when messages of a period may be missing on this device: the time of the oldest one before which nothing is. Absent:
 * nothing is missing.
 */
export function missingBefore(
  { cache, now }: Pick<ReadContext, 'cache' | 'now'>,
  cid: Cid,
  span: ExportSpan,
): number | undefined {
  const known = ranges.of(cache, `timeline:${cid}`)
  if (known.length === 0) return Math.min(now(), span.until ?? Infinity)
  const gap = newestGap(known, span)
  return gap === undefined ? undefined : Math.min(gap.first.createdAt, span.until ?? Infinity)
}

const PAGE = 200

/** Messages of a period with replies that are not all on this device. */
function* threadsOf(reader: Reader, cid: Cid, { from, until = Infinity }: ExportSpan): Generator<MessageId> {
  let at = from === undefined ? pages.BEGINNING : { createdAt: from, id: '' }
  for (;;) {
    const keys = pages.after(reader, `timeline:${cid}`, at, PAGE)
    for (const { id, createdAt } of keys) {
      if (createdAt >= until) return
      const row = messages.byId(reader, id)
      if (row !== undefined && row.replyCount > 0 && !isWhole(reader, row.id)) yield row.id
    }
    const last = keys.at(-1)
    if (keys.length < PAGE || last === undefined) return
    at = last
  }
}

function isWhole(reader: Reader, parentId: MessageId): boolean {
  const [only, more] = ranges.of(reader, `thread:${parentId}`)
  return only !== undefined && more === undefined && !only.hasPrev && !only.hasNext
}
