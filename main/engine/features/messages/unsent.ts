import type { SendPayload, IntentFor } from '#shared/domain/intent.ts'
import { asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import { isForLater } from '#shared/rules/messages/predict.ts'
import * as pages from '#main/cache/messages/pages.ts'
import type { Tx } from '#main/cache/tx.ts'
import type { ClientId } from '../../context.ts'
import type { Submissions, Core } from '../../core.ts'

type ContentInput = {
  readonly cid: Cid
  readonly content: Pick<SendPayload, 'poll' | 'pollId' | 'place'>
  /** Id of an unsent message that this one replaces. */
  readonly replaces: string | undefined
  readonly again: boolean | undefined
}

/** Queues a message that is a poll or a location. Returns its id. */
export function submitContent(
  core: Submissions,
  { cid, content, replaces, again }: ContentInput,
  client: ClientId,
): MessageId {
  const { poll, place } = content
  // The end time of a live share differs each time.
  const same = { poll, place: { ...place, live: place?.live?.forMs } }
  if (!again) core.recentSends.check(cid, same, client)
  const id = asMessageId(core.ports.ids.uuid())
  const nothing = { text: '', mentionedUserIds: [], showInChannel: false, uploadIds: [] }
  const payload = { ...nothing, ...content, placedAt: placeOf(core, cid, undefined) }
  if (content.place?.live) core.memory.sharing.begun.add(id)
  try {
    core.outbox.add({ kind: 'send-message', id, cid, messageId: id, payload })
  } catch (refused) {
    core.notify(content.place === undefined ? NOTICES.pollFailed : NOTICES.locationFailed)
    throw refused
  }
  core.recentSends.note(cid, same, client)
  // Only after that: a crash in between leaves both, and the older one is parked.
  const old = replaces === undefined ? undefined : core.outbox.byId(replaces)
  if (old?.kind === 'send-message' && old.state === 'parked') dropUnsent(core, old)
  core.runner.kick()
  return id
}

/** Smallest step in the order of messages: a microsecond, the precision of the server. */
const TINY_MS = 0.001

/**
 * A position after everything known in the channel and everything queued, so that own messages keep their order within one
 * millisecond and are never above the message they reply to.
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

/** Reason of a parked poll or location that the user withdrew to change it. */
export const WITHDRAWN = 'outbox/taken-back'

/** Drops an unsent message. If it was tried it may be on the server, so a delete is queued for it. */
export function dropUnsent(
  core: Pick<Core, 'outbox' | 'serverNow'>,
  intent: IntentFor<'send-message'>,
  within?: (tx: Tx) => void,
): void {
  const { cid, parentId, messageId, id, attempts } = intent
  if (messageId === undefined) return core.outbox.remove([id], within)
  const payload = { deletedAt: core.serverNow() }
  // Parked by the user, not rejected by the server: it may exist there.
  if (intent.reason?.code === WITHDRAWN && attempts > 0) core.outbox.remove([id])
  core.outbox.add({ kind: 'delete-message', cid, parentId, messageId, payload }, within)
}
