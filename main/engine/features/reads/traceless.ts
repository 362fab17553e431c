import type { Settings } from '#shared/domain/settings.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { isTraceless } from '#shared/rules/channels/unread.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import * as localReads from '#main/cache/outbox/local-reads.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as reads from '#main/cache/channels/reads.ts'
import type { Core } from '../../core.ts'

type Place = { readonly cid: Cid; readonly parentId?: MessageId }
/** Up to where messages are read. */
export type Mark = { readonly readAt: number; readonly upTo?: MessageId }

/** A microsecond, the precision of the server. */
const SMALLEST_STEP_MS = 0.001

/** Whether the viewer reads this channel without telling the server. */
export const isReadWithoutTrace = ({ memory }: Pick<Core, 'memory'>, cid: Cid): boolean =>
  isTraceless(memory.settings.traceless, memory.session, cid)

/** Whether any channel of the account is read without telling the server. */
export const readsWithoutTrace = ({ memory }: Pick<Core, 'memory'>): boolean =>
  (memory.settings.traceless[sidebarKey(memory.session)] ?? []).length > 0

/** Stores a read mark on this device only. */
export const storeLocalRead = (core: Pick<Core, 'serverNow' | 'stores'>, place: Place, mark: Mark): void =>
  storeLocalReads(core, [{ ...place, ...mark }])

export function storeLocalReads(core: Pick<Core, 'serverNow' | 'stores'>, marks: readonly (Place & Mark)[]): void {
  const at = core.serverNow()
  core.stores.outbox.transaction((tx) => {
    for (const { cid, parentId, readAt, upTo } of marks)
      localReads.put(tx, { cid, threadId: parentId, readAt, upTo, firstUnreadId: undefined, at })
  })
}

/**
 * Marks as unread from this message without telling the server, which would learn that earlier messages were read.
 * Returns false if the server already knows that the message was read; then the mark has to be sent.
 */
export function storeLocalUnread(
  core: Pick<Core, 'cache' | 'serverNow' | 'stores'>,
  { cid, parentId }: Place,
  messageId: MessageId | undefined,
): boolean {
  const from = messageId ?? parentId
  const message = from && messages.byId(core.cache.reader, from)
  if (message === undefined || from === undefined) return false
  if ((reads.own(core.cache.reader, cid, parentId)?.lastReadAt ?? 0) >= message.createdAt) return false
  const readAt = message.createdAt - SMALLEST_STEP_MS
  const row = { cid, threadId: parentId, readAt, upTo: undefined, firstUnreadId: from, at: core.serverNow() }
  core.stores.outbox.transaction((tx) => localReads.put(tx, row))
  return true
}

/**
 * The same after the server refused the mark: it overrides the server's mark. Returns false if the message is not
 * cached.
 */
export function storeRefusedMark(
  core: Pick<Core, 'cache' | 'serverNow' | 'stores'>,
  { cid, parentId }: Place,
  messageId: MessageId | undefined,
): boolean {
  const from = messageId ?? parentId
  const message = from && messages.byId(core.cache.reader, from)
  if (message === undefined || from === undefined) return false
  const readAt = message.createdAt - SMALLEST_STEP_MS
  const mark = { readAt, upTo: undefined, firstUnreadId: from, at: core.serverNow(), refused: true } as const
  core.stores.outbox.transaction((tx) => localReads.put(tx, { cid, threadId: parentId, ...mark }))
  return true
}

/** A mark that the server refused, if nothing was read after it. */
export function refusedMark(core: Pick<Core, 'stores'>, { cid, parentId }: Place): localReads.LocalRead | undefined {
  const stored = localReads.of(core.stores.outbox.reader, cid, parentId)
  return stored?.refused ? stored : undefined
}

/** Queued marks of channels that were just excluded are not sent; they are stored on this device. */
export function storeQueuedMarks(
  core: Pick<Core, 'memory' | 'outbox' | 'serverNow' | 'stores'>,
  before: Settings,
): void {
  if (before.traceless === core.memory.settings.traceless) return
  for (const intent of core.outbox.all()) {
    if (intent.kind !== 'mark-read' || intent.state === 'inflight' || !isReadWithoutTrace(core, intent.cid)) continue
    storeLocalRead(core, intent, intent.payload)
    core.outbox.remove([intent.id])
  }
}
