import { AppError } from '#shared/lib/app-error.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { markUnread } from '#shared/wire/channels.ts'
import * as messages from '#main/cache/messages/messages.ts'
import { ApiError, taskStep } from '../../api/errors.ts'
import type { Core } from '../../core.ts'
import { storeRefusedMark } from './traceless.ts'

/** A microsecond, the precision of servers. */
const JUST_BEFORE_MS = 0.001

type Parts = Pick<Core, 'api' | 'cache' | 'life' | 'notify' | 'serverNow' | 'stores'>

/**
 * Marks a channel unread from a message on, however old: servers accept only one of the newest hundred messages by id,
 * older ones by time. See docs/wire.md 8.8.
 */
export const sendUnread = (core: Parts, cid: Cid, from: MessageId): Promise<void> =>
  orStoreHere(core, { cid }, from, () => sendFrom(core, cid, from))

/** The same, by the time up to which it was read: if the first unread message is not cached. */
export const sendUnreadSince = (core: Parts, cid: Cid, readAt: number): Promise<void> =>
  orStoreHere(core, { cid }, undefined, async () => {
    const body = { message_timestamp: formatTime(Math.max(0, readAt)) }
    await core.api.send(markUnread, { params: splitCid(cid), body, signal: core.life })
  })

type Place = { readonly cid: Cid; readonly parentId?: MessageId }

/** If the server refuses the mark, it is stored on this device, and the viewer is notified. */
export async function orStoreHere(
  core: Pick<Core, 'cache' | 'notify' | 'serverNow' | 'stores'>,
  place: Place,
  from: MessageId | undefined,
  send: () => Promise<unknown>,
): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!isRefusal(error) || !storeRefusedMark(core, place, from)) throw error
    core.notify({ code: 'unread/kept-here', type: 'channels:unread', severity: 'info' })
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && taskStep(error.verdict, { attempt: 1, removes: false }) === 'park'

async function sendFrom(core: Pick<Core, 'api' | 'cache' | 'life'>, cid: Cid, from: MessageId): Promise<void> {
  const send = (body: { readonly message_id: string } | { readonly message_timestamp: string }) =>
    core.api.send(markUnread, { params: splitCid(cid), body, signal: core.life })
  try {
    await send({ message_id: from })
  } catch (error) {
    const at = messages.byId(core.cache.reader, from)?.createdAt
    if (at === undefined || !(error instanceof AppError) || error.code !== 'server/input') throw error
    await send({ message_timestamp: formatTime(at - JUST_BEFORE_MS) })
  }
}
