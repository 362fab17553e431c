import * as v from 'valibot'
import {
  commitMessage,
  queryMessageHistory,
  queryReactions,
  translateMessage,
  undeleteMessage,
  updateMessageEphemeral,
  type WireMessageHistory,
} from '#shared/wire/messages.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { idText, list, object } from '../http/shapes.ts'
import { historyList, reactionList, cursorBody, readCursorPage } from '../store/query/lists.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { encodeReaction } from './encode-messages.ts'
import { restoreMessage } from './removal.ts'
import { type HistoryEntry, audienceUnshadowed, changeMessage } from './message-table.ts'
import { announceMessage, announceNew, messageFor } from './message-announce.ts'
import { noteCounters } from './message-post.ts'
import { openMessage } from './message-checks.ts'
import { partialChange, writeChange } from './message-routes.ts'

export const messageServerRoutes: readonly Route[] = [
  route(undeleteMessage, { body: v.looseObject({ undeleted_by: idText() }) }, ({ params, body, who }, work) => {
    onlyServer(who, 'UndeleteMessage')
    const { row, access } = openMessage(work, params.id, who)
    if (row.deleted_at === null) refuse('input', 'the message is not deleted')
    const after = restoreMessage(work, access, who, row, body.undeleted_by ?? row.user_id)
    return { message: messageFor(work, after, who) }
  }),
  route(commitMessage, {}, ({ params, who }, work) => {
    onlyServer(who, 'CommitMessage')
    const { row, access } = openMessage(work, params.id, who)
    if (!row.pending) refuse('input', 'the message is not pending')
    const changed = changeMessage(work.db, row.id, {
      pending: 0,
      audience: row.shadowed ? row.audience : audienceUnshadowed({ ...row, pending: 0 }),
    })
    const after = changed ?? row
    noteCounters(work, access, after)
    announceNew(work, access, after, false)
    return { message: messageFor(work, after, who) }
  }),
  route(
    updateMessageEphemeral,
    { body: v.object({ set: object, unset: list(v.string(), 100) }) },
    ({ params, body, who }, work) => {
      onlyServer(who, 'EphemeralMessageUpdate')
      const { row, access } = openMessage(work, params.id, who)
      if (row.deleted_at !== null) refuse('input', 'a deleted message cannot be edited')
      const after = writeChange(work, access, row, partialChange(row, body, true))
      announceMessage(work, access, { ...who, userId: row.user_id }, 'message.updated', after)
      return { message: messageFor(work, after, who) }
    },
  ),
  route(translateMessage, { body: v.looseObject({ language: idText(20) }) }, ({ params, who }, work) => {
    openMessage(work, params.id, who)
    return refuse('featureNotSupported', 'no translator is configured')
  }),
  route(queryMessageHistory, { body: v.looseObject(cursorBody) }, ({ body, who }, work) => {
    onlyServer(who, 'QueryMessageHistory')
    const { rows, cursors } = readCursorPage(work.db, historyList(body.filter), body)
    return { message_history: rows.map((row) => encodeHistory(work, row)), ...cursors }
  }),
  route(queryReactions, { body: v.looseObject(cursorBody) }, ({ params, body, who }, work) => {
    const { row } = openMessage(work, params.id, who)
    const { rows, cursors } = readCursorPage(work.db, reactionList(row.id, body.filter), body)
    return { reactions: rows.map((each) => encodeReaction(each, work.people)), ...cursors }
  }),
]

/** Refuses user tokens: a server token is required. */
function onlyServer(who: Identity, action: string): void {
  if (who.server) return
  refuse('notAllowed', `User '${who.userId}' with roles ['${who.role}'] is not allowed to perform action ${action}`)
}

function encodeHistory(work: Work, row: HistoryEntry): WireMessageHistory {
  return {
    ...(JSON.parse(row.custom) as Record<string, unknown>),
    message_id: row.message_id,
    message_updated_at: toText(row.written_at),
    message_updated_by_id: row.written_by,
    text: row.text,
    attachments: JSON.parse(work.people.fresh(row.attachments)) as WireMessageHistory['attachments'],
    is_deleted: row.deleted_at !== null,
  }
}
