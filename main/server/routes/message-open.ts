import type { Identity } from '../auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { openChannel, type Access } from '../rules/access.ts'
import { audienceIds, messageById, type MessageRow } from '../store/tables/messages.ts'
import { usersByIds } from '../store/tables/users.ts'
import type { Work } from '../work.ts'

/** A message and how the person stands to its channel: 16 when it is not there or not for them. */
export function openMessage(work: Work, id: string, who: Identity): { row: MessageRow; access: Access } {
  const row = messageById(work.db, id)
  if (!row) return refuse('doesNotExist', `message ${id} does not exist`)
  const access = openChannel(work.db, row.cid, who)
  if (!isVisible(row, access, who)) return refuse('doesNotExist', `message ${id} does not exist`)
  return { row, access }
}

/** Whether a message of this channel is for this person. */
export function isVisible(row: MessageRow, access: Access, who: Identity): boolean {
  const seen = audienceIds(row)?.includes(who.userId) ?? true
  return row.cid === access.channel.cid && row.created_at > access.floor && (seen || who.server)
}

/** Ids of people who exist, each once, in the order given. */
export function knownPeople(work: Work, ids: readonly string[]): string[] {
  const known = usersByIds(work.db, ids)
  return [...new Set(ids)].filter((id) => known.has(id))
}
