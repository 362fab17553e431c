import type { Db } from '../store/db.ts'
import { recountMessages } from './channel-table.ts'
import { recountUnread } from './member-table.ts'

/** Counts a channel's messages and what is unread of them again: after messages came to light or went away. */
export function recount(db: Db, cid: string): void {
  recountMessages(db, cid)
  recountUnread(db, cid)
}
