import type { HistoryEntry, HistoryFilter } from '#shared/domain/manage/review.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { queryModerationLogs } from '#shared/wire/moderation.ts'
import type { Tx } from '#main/cache/store.ts'
import type { EngineApi } from '../../../context.ts'
import type { Core } from '../../../core.ts'
import { asList, asWire, countOf, cursorOf, idOf, nameOf, textOf, timeOf } from '../../../decode/read.ts'
import { writeUser } from '../../../sync/write.ts'

type Page = {
  readonly entries: readonly HistoryEntry[]
  readonly since?: number
  readonly keptDays?: number
  readonly next?: string
}

type Parts = Pick<Core, 'asOf' | 'life' | 'write'>

export async function readPage(
  core: Parts,
  api: EngineApi,
  { filter, next, limit }: { readonly filter: HistoryFilter; readonly next?: string; readonly limit: number },
): Promise<Page> {
  const asOf = core.asOf()
  const body = { filter: wireFilter(filter), limit, ...(next === undefined ? {} : { next }) }
  const reply = await api.send(queryModerationLogs, { body, signal: core.life })
  const entries = core.write((tx) => asList(reply.logs).flatMap((entry) => readEntry(tx, entry, asOf) ?? []))
  return { entries, since: timeOf(reply.since), keptDays: countOf(reply.kept_days), next: cursorOf(reply.next, next) }
}

function wireFilter({ byId, targetId, cid, messageId, actions, from }: HistoryFilter) {
  return {
    ...(messageId === undefined ? {} : { message_id: messageId }),
    ...(byId === undefined ? {} : { user_id: byId }),
    ...(targetId === undefined ? {} : { target_user_id: targetId }),
    ...(cid === undefined ? {} : { channel_cid: cid }),
    ...(actions === undefined ? {} : { action: { $in: actions } }),
    ...(from === undefined ? {} : { created_at: { $gte: formatTime(from) } }),
  }
}

const MAX_CHANGES = 50
const REASON_LIMIT = 1_000

/** Stores the people that an entry names. */
function readEntry(tx: Tx, value: unknown, asOf: number): HistoryEntry | undefined {
  const wire = asWire(value)
  const [id, at, action] = [idOf(wire?.['id']), timeOf(wire?.['created_at']), idOf(wire?.['action'])]
  if (wire === undefined || id === undefined || at === undefined || action === undefined) return undefined
  for (const user of [wire['user'], wire['target_user']]) if (user) writeUser(tx, user, asOf)
  const [byId, targetId, cid] = [idOf(wire['user_id']), idOf(wire['target_user_id']), idOf(wire['channel_cid'])]
  const messageId = idOf(wire['message_id'])
  const undo = wire['undo']
  return {
    id,
    at,
    action,
    byId: byId === undefined ? undefined : asUserId(byId),
    targetId: targetId === undefined ? undefined : asUserId(targetId),
    cid: cid === undefined ? undefined : asCid(cid),
    channelName: nameOf(wire['channel_name']),
    messageId: messageId === undefined ? undefined : asMessageId(messageId),
    subject: nameOf(wire['subject']),
    reason: textOf(wire['reason'], REASON_LIMIT),
    changes: asList(wire['changes'])
      .slice(0, MAX_CHANGES)
      .flatMap((each) => readChange(each) ?? []),
    how: idOf(wire['how']),
    seconds: countOf(wire['seconds']),
    undo: undo === 'unban' || undo === 'restore' ? undo : undefined,
  }
}

function readChange(value: unknown): HistoryEntry['changes'][number] | undefined {
  const wire = asWire(value)
  const field = nameOf(wire?.['field'])
  return field === undefined ? undefined : { field, from: nameOf(wire?.['from']), to: nameOf(wire?.['to']) }
}
