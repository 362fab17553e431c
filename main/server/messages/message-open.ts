import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { accessTo, deny, mayRead, type Access } from '../channels/access.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { audienceIds, messageById, type MessageRow } from './message-table.ts'
import { usersByIds } from '../users/user-table.ts'
import type { Work } from '../work.ts'

export type OpenMessage = { readonly row: MessageRow; readonly access: Access }

/**
 * A message and the user's access to its channel. Refuses with code 16 when it does not exist, is not visible to them,
 * or is in a channel they may not read: so that an id does not reveal that the message exists.
 */
export function openMessage(work: Work, id: string, who: Identity): OpenMessage {
  return findMessage(work, id, who) ?? refuse('doesNotExist', `message ${id} does not exist`)
}

/** The same, `undefined` for callers that refuse with their own text. */
export function findMessage(work: Work, id: string, who: Identity): OpenMessage | undefined {
  const row = messageById(work.db, id)
  const channel = row ? channelByCid(work.db, row.cid) : undefined
  if (!row || !channel || channel.deleted_at !== null) return undefined
  const access = accessTo(work.db, channel, who)
  if (!access.can.has('read-channel') || !isVisible(row, access, who)) return undefined
  if (!mayRead(access, who)) deny(access, who, 'ReadChannel')
  return { row, access }
}

/** Whether a message of this channel is visible to this user. */
export function isVisible(row: MessageRow, access: Access, who: Pick<Identity, 'userId' | 'server'>): boolean {
  const inAudience = audienceIds(row)?.includes(who.userId) ?? true
  return row.cid === access.channel.cid && row.created_at > access.floor && (inAudience || who.server)
}

/** Ids of existing users, each once, in the given order. */
export function knownPeople(work: Work, ids: readonly string[]): string[] {
  const known = usersByIds(work.db, ids)
  return [...new Set(ids)].filter((id) => known.has(id))
}
