import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { isForLater } from '#shared/rules/messages/predict.ts'
import * as pages from '#main/cache/messages/pages.ts'
import type { Core } from '../../core.ts'

/** Smallest step in the order of messages: a microsecond, the precision of the server. */
const TINY_MS = 0.001

/**
 * A position after everything known in the channel and everything queued, so that own messages keep their order within one
 * millisecond and are never above the message they answer.
 */
export function placeOf(
  core: Pick<Core, 'cache' | 'outbox' | 'serverNow'>,
  cid: Cid,
  parentId: MessageId | undefined,
): number {
  const timeline = pages.newest(core.cache.reader, `timeline:${cid}`, 1)[0]
  const thread = parentId === undefined ? undefined : pages.newest(core.cache.reader, `thread:${parentId}`, 1)[0]
  const waiting = core.outbox
    .sends(cid)
    .filter((intent) => !isForLater(intent))
    .map((intent) => intent.payload.placedAt)
  const newest = Math.max(timeline?.createdAt ?? 0, thread?.createdAt ?? 0, ...waiting)
  return Math.max(core.serverNow(), newest + TINY_MS)
}
