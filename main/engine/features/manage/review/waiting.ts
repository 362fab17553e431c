import { queryReviewQueue } from '#shared/wire/moderation.ts'
import type { Core } from '../../../core.ts'
import { asList, asWire, countOf } from '../../../decode/read.ts'
import { apiFor, mayManage, topicChanged } from '../authority.ts'

export type Waiting = Pick<Core, 'api' | 'cache' | 'collector' | 'isHealthy' | 'life' | 'me' | 'memory' | 'server'>

/** A server that does not say the number: more than this are shown as one more than 99. */
const COUNTED = 100

/** Stores what the server says of the whole queue. Only servers that count it notify of its changes too. */
export function noteStats(core: Pick<Core, 'collector' | 'memory'>, stats: unknown): boolean {
  const waiting = countOf(asWire(stats)?.['needs_review'])
  core.memory.review.notifies = waiting !== undefined
  if (waiting !== undefined) noteWaiting(core, waiting)
  return waiting !== undefined
}

function noteWaiting({ collector, memory }: Pick<Core, 'collector' | 'memory'>, waiting: number): void {
  if (memory.manage.waiting === waiting) return
  memory.manage = { ...memory.manage, waiting }
  collector.touch('manage', 'self')
}

/** Asks how many items wait, for those who may review; screens that show the queue load it again. */
export async function askWaiting(core: Waiting): Promise<void> {
  if (!mayManage(core, 'review') || !core.isHealthy()) return
  const { api } = await apiFor(core, 'review')
  const body = { filter: { reviewed: false }, sort: [{ field: 'created_at', direction: -1 as const }], limit: COUNTED }
  const reply = await api.send(queryReviewQueue, { body, signal: core.life })
  const items = asList(reply.items)
  if (!noteStats(core, reply.stats)) noteWaiting(core, items.length)
  topicChanged(core, 'review')
}
