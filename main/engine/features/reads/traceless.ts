import type { Settings } from '#shared/domain/settings.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { isTraceless } from '#shared/rules/channels/reads.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import * as keptReads from '#main/cache/outbox/local-reads.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as reads from '#main/cache/channels/reads.ts'
import type { Core } from '../../core.ts'

type Place = { readonly cid: Cid; readonly parentId?: MessageId | undefined }
/** How far was read. */
export type Mark = { readonly readAt: number; readonly upTo?: MessageId | undefined }

/** A microsecond, as the server counts. */
const SMALLEST_STEP_MS = 0.001

/** The viewer reads this channel without a trace. */
export const isReadWithoutTrace = ({ memory }: Pick<Core, 'memory'>, cid: Cid): boolean =>
  isTraceless(memory.settings.traceless, memory.session, cid)

/** Any channel of the account is. */
export const readsWithoutTrace = ({ memory }: Pick<Core, 'memory'>): boolean =>
  (memory.settings.traceless[sidebarKey(memory.session)] ?? []).length > 0

/** Read up to there, on this computer alone. */
export const keepRead = (core: Core, place: Place, mark: Mark): void => keepReads(core, [{ ...place, ...mark }])

export function keepReads(core: Core, marks: readonly (Place & Mark)[]): void {
  const at = core.serverNow()
  core.stores.outbox.transaction((tx) => {
    for (const { cid, parentId, readAt, upTo } of marks)
      keptReads.put(tx, { cid, threadId: parentId, readAt, upTo, firstUnreadId: undefined, at })
  })
}

/**
 * Unread again from this message, without a word to the server: it would learn from it that what stands before was read.
 * Answers false where the server knows that this message was read; then it has to hear that it is no more.
 */
export function keepUnread(core: Core, { cid, parentId }: Place, messageId: MessageId | undefined): boolean {
  const from = messageId ?? parentId
  const message = from && messages.byId(core.cache.reader, from)
  if (message === undefined || from === undefined) return false
  if ((reads.own(core.cache.reader, cid, parentId)?.lastReadAt ?? 0) >= message.createdAt) return false
  const readAt = message.createdAt - SMALLEST_STEP_MS
  const row = { cid, threadId: parentId, readAt, upTo: undefined, firstUnreadId: from, at: core.serverNow() }
  core.stores.outbox.transaction((tx) => keptReads.put(tx, row))
  return true
}

/** The same where the server refused to hear of it: it stands against the server's mark. False: the message is not held. */
export function keepRefused(core: Core, { cid, parentId }: Place, messageId: MessageId | undefined): boolean {
  const from = messageId ?? parentId
  const message = from && messages.byId(core.cache.reader, from)
  if (message === undefined || from === undefined) return false
  const readAt = message.createdAt - SMALLEST_STEP_MS
  const mark = { readAt, upTo: undefined, firstUnreadId: from, at: core.serverNow(), refused: true } as const
  core.stores.outbox.transaction((tx) => keptReads.put(tx, { cid, threadId: parentId, ...mark }))
  return true
}

/** A mark that the server refused, and that nothing was read after. */
export function refusedMark(core: Core, { cid, parentId }: Place): keptReads.KeptRead | undefined {
  const kept = keptReads.of(core.stores.outbox.reader, cid, parentId)
  return kept?.refused ? kept : undefined
}

/** Marks that wait for a line are not sent from channels that have just been chosen; they stay here. */
export function keepWaiting(core: Core, before: Settings): void {
  if (before.traceless === core.memory.settings.traceless) return
  for (const intent of core.outbox.all()) {
    if (intent.kind !== 'mark-read' || intent.state === 'inflight' || !isReadWithoutTrace(core, intent.cid)) continue
    keepRead(core, intent, intent.payload)
    core.outbox.remove([intent.id])
  }
}
