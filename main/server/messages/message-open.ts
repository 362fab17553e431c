import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { accessTo, deny, mayRead, type Access } from '../channels/access.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { audienceIds, messageById, type MessageRow } from './message-table.ts'
import { usersByIds } from '../users/user-table.ts'
import type { Work } from '../work.ts'

type OpenMessage = { readonly row: MessageRow; readonly access: Access }

/**
 * A message and how the person stands to its channel. 16 when it is not there, not for them, or in a channel they may
 * not read: an id tells no one that there is such a message.
 */
export function openMessage(work: Work, id: string, who: Identity): OpenMessage {
  return findMessage(work, id, who) ?? refuse('doesNotExist', `message ${id} does not exist`)
}

/** The same, for those who say in words of their own that it is not there. */
export function findMessage(work: Work, id: string, who: Identity): OpenMessage | undefined {
  const row = messageById(work.db, id)
  const channel = row ? channelByCid(work.db, row.cid) : undefined
  if (!row || !channel || channel.deleted_at !== null) return undefined
  const access = accessTo(work.db, channel, who)
  if (!access.can.has('read-channel') || !isVisible(row, access, who)) return undefined
  if (!mayRead(access, who)) deny(access, who, 'ReadChannel')
  return { row, access }
}

/** Whether a message of this channel is for this person. */
export function isVisible(row: MessageRow, access: Access, who: Pick<Identity, 'userId' | 'server'>): boolean {
  const seen = audienceIds(row)?.includes(who.userId) ?? true
  return row.cid === access.channel.cid && row.created_at > access.floor && (seen || who.server)
}

/** Ids of people who exist, each once, in the order given. */
export function knownPeople(work: Work, ids: readonly string[]): string[] {
  const known = usersByIds(work.db, ids)
  return [...new Set(ids)].filter((id) => known.has(id))
}
