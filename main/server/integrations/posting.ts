import type { CallOutcome } from '#shared/domain/manage/integrations.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { accessTo, mayRead } from '../channels/access.ts'
import { channelByCid, type ChannelRow } from '../channels/channel-table.ts'
import { Refusal } from '../http/refusal.ts'
import { readMessage } from '../messages/message-input.ts'
import { postAndAnnounce } from '../messages/message-post.ts'
import { banOf, EVERYWHERE } from '../moderation/ban-table.ts'
import type { Db } from '../store/db.ts'
import { userById } from '../users/user-table.ts'
import { trying, type Work } from '../work.ts'
import type { IntegrationRow } from './integration-table.ts'
import { botOf } from './programs.ts'

type Posted = { readonly outcome: CallOutcome; readonly messageId?: string; readonly reason?: string }

/**
 * Posts a text in the name of a program, with the limits and rules of any message. A frozen or shut channel takes nothing
 * from programs either, whatever the server itself may do there.
 */
export function postAs(work: Work, row: IntegrationRow, cid: string, text: string, parentId?: string): Posted {
  if (isBlank(text)) return { outcome: 'no-text' }
  const channel = channelByCid(work.db, cid)
  if (!channel || channel.deleted_at !== null) return { outcome: 'channel-gone' }
  if (channel.frozen === 1 || channel.disabled === 1) return { outcome: 'channel-frozen' }
  const who = botOf(row)
  if (isBanned(work.db, who.userId, cid)) return { outcome: 'not-allowed' }
  if (row.kind === 'incoming' && !makerMayWrite(work.db, row, channel)) return { outcome: 'not-allowed' }
  try {
    const { row: message, announced } = trying(work, (inner) =>
      postAndAnnounce(inner, accessTo(inner.db, channel, who), who, readMessage({ text, parent_id: parentId })),
    )
    return announced ? { outcome: 'posted', messageId: message.id } : { outcome: 'blocked' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { outcome: error.codeName === 'messageTooLong' ? 'too-long' : 'blocked', reason: error.message }
  }
}

const isBanned = (db: Db, userId: string, cid: string): boolean =>
  [EVERYWHERE, cid].some((where) => banOf(db, userId, where)?.shadow === 0)

/** Whoever made a webhook must still be able to do what it does. */
function makerMayWrite(db: Db, { created_by: id }: IntegrationRow, channel: ChannelRow): boolean {
  const maker = userById(db, id)
  if (!maker || maker.deactivated_at !== null || maker.deleted_at !== null) return false
  const { role, banned } = maker
  const who = { userId: id, role, banned: banned === 1, server: false, expiresAtMs: undefined }
  const access = accessTo(db, channel, who)
  return mayRead(access, who) && access.can.has('send-message')
}
