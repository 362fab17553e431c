import * as v from 'valibot'
import { queryModerationLogs, type WireLoggedAction } from '#shared/wire/moderation.ts'
import { route, type Route } from '../../http/router.ts'
import { cursorBody, readCursorPage } from '../../store/query/cursor.ts'
import { channelByCid } from '../../channels/channel-table.ts'
import { messageById } from '../../messages/message-table.ts'
import { toText } from '../../store/time.ts'
import type { Work } from '../../work.ts'
import { banOf, EVERYWHERE } from '../ban-table.ts'
import { needModerator } from '../moderation.ts'
import { actionList, logDays, oldestAction, type ActionRow } from './log-table.ts'

/** The history of actions, for moderators of the app. See docs/wire.md 3.14. */
export const moderationLogRoutes: readonly Route[] = [
  route(queryModerationLogs, { body: v.looseObject(cursorBody) }, ({ body, who }, work) => {
    needModerator(work, who)
    const { rows, cursors } = readCursorPage(work.db, actionList(body.filter), body)
    const since = oldestAction(work.db)
    return {
      logs: rows.map((row) => encodeAction(work, row)),
      kept_days: logDays(work.db),
      ...(since === undefined ? {} : { since: toText(since) }),
      ...cursors,
    }
  }),
]

function encodeAction(work: Work, row: ActionRow): WireLoggedAction {
  const channel = row.cid === null ? undefined : channelByCid(work.db, row.cid)
  return {
    ...(JSON.parse(row.details) as Pick<WireLoggedAction, 'changes' | 'how' | 'seconds'>),
    id: String(row.seq),
    created_at: toText(row.at),
    action: row.action,
    ...(row.user_id === null ? {} : { user_id: row.user_id, user: work.people(row.user_id) }),
    ...(row.target_id === null ? {} : { target_user_id: row.target_id, target_user: work.people(row.target_id) }),
    ...(row.cid === null ? {} : { channel_cid: row.cid }),
    ...(channel?.name ? { channel_name: channel.name } : {}),
    ...(row.message_id === null ? {} : { message_id: row.message_id }),
    ...(row.subject === null ? {} : { subject: row.subject }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...undoOf(work, row),
  }
}

/** How the action can be reversed now: not after someone else did, nor when nothing of it is in force any more. */
function undoOf(work: Work, row: ActionRow): Pick<WireLoggedAction, 'undo'> {
  if (row.action === 'user.ban' && row.target_id !== null) {
    const ban = banOf(work.db, row.target_id, row.cid ?? EVERYWHERE)
    return ban?.created_at === row.at ? { undo: 'unban' } : {}
  }
  if (row.action === 'message.delete' && row.message_id !== null) {
    const message = messageById(work.db, row.message_id)
    // The time of a deletion is a later one of the channel's own.
    return (message?.deleted_at ?? 0) >= row.at ? { undo: 'restore' } : {}
  }
  return {}
}
