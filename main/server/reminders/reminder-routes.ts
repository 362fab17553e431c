import * as v from 'valibot'
import {
  createReminder,
  deleteReminder,
  queryReminders,
  updateReminder,
  type WireReminder,
} from '#shared/wire/reminders.ts'
import type { Identity } from '../http/auth/identify.ts'
import { encodeReminder } from './encode-reminder.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { time } from '../http/shapes.ts'
import { cursorBody, readCursorPage } from '../store/query/cursor.ts'
import { reminderList } from '../store/query/lists.ts'
import { accessTo, mayRead, type Access } from '../channels/access.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { messageById, type MessageRow } from '../messages/message-table.ts'
import {
  deleteReminder as removeReminder,
  putReminder,
  reminderOf,
  remindersOfMessage,
  takeWaiting,
  type ReminderRow,
} from './reminder-table.ts'
import { userById } from '../users/user-table.ts'
import { transact, type Services, type Work } from '../work.ts'
import { channelForMany } from '../channels/channel-state.ts'
import { channelEvent } from '../realtime/channel-event.ts'
import { messageFor } from '../messages/message-announce.ts'
import { isVisible, openMessage } from '../messages/message-open.ts'

const request = v.looseObject({ remind_at: time })

export const reminderRoutes: readonly Route[] = [
  route(createReminder, { body: request }, ({ params, body, who }, work) => {
    const place = openRemindable(work, params.id, who)
    if (reminderOf(work.db, who.userId, params.id)) {
      refuse('input', 'user already has reminder created for this message_id')
    }
    return put(work, place, who, body.remind_at, work.now, 'reminder.created')
  }),
  route(updateReminder, { body: request }, ({ params, body, who }, work) => {
    const place = openRemindable(work, params.id, who)
    const known = reminderOf(work.db, who.userId, params.id)
    if (!known) return refuse('doesNotExist', 'messages reminder does not exist')
    return put(work, place, who, body.remind_at, known.created_at, 'reminder.updated')
  }),
  route(deleteReminder, {}, ({ params, who }, work) => {
    const known = reminderOf(work.db, who.userId, params.id)
    if (!known) return refuse('doesNotExist', 'messages reminder does not exist')
    drop(work, known)
    return {}
  }),
  route(queryReminders, { body: v.looseObject(cursorBody) }, ({ body, who }, work) => {
    const { rows, cursors } = readCursorPage(work.db, reminderList(who.userId, body.filter), body)
    return { reminders: rows.flatMap((row) => fullReminder(work, row, who) ?? []), ...cursors }
  }),
]

type Place = { readonly row: MessageRow; readonly access: Access }

function openRemindable(work: Work, messageId: string, who: Identity): Place {
  if (who.userId === '') return refuse('input', 'a server token must name a user')
  const place = openMessage(work, messageId, who)
  if (!place.access.flags.user_message_reminders) {
    refuse('featureNotSupported', 'reminders are switched off in this channel')
  }
  if (place.row.deleted_at !== null) refuse('input', 'a deleted message cannot be kept')
  return place
}

/** A new time arms the reminder again. See docs/wire.md 8.15. */
function put(
  work: Work,
  place: Place,
  who: Identity,
  remindAt: number | undefined,
  createdAt: number,
  type: 'reminder.created' | 'reminder.updated',
) {
  const row: ReminderRow = {
    user_id: who.userId,
    message_id: place.row.id,
    cid: place.row.cid,
    remind_at: remindAt ?? null,
    fired: 0,
    created_at: createdAt,
    updated_at: work.now,
  }
  putReminder(work.db, row)
  announceReminder(work, row, type)
  const reminder = fullReminder(work, row, who) ?? refuse('internal', 'the reminder was not written')
  return { ...reminder, reminder }
}

/**
 * See docs/wire.md 5.13. Nothing when the message or its channel is gone; without them for someone who may no
 * longer read them.
 */
function fullReminder(work: Work, row: ReminderRow, who: Identity): WireReminder | undefined {
  const message = messageById(work.db, row.message_id)
  const channel = channelByCid(work.db, row.cid)
  if (!message || !channel) return undefined
  const access = accessTo(work.db, channel, who)
  if (!mayRead(access, who) || !isVisible(message, access, who)) return encodeReminder(row)
  return {
    ...encodeReminder(row),
    user: work.people(row.user_id),
    message: messageFor(work, message, who),
    channel: channelForMany(work, access),
  }
}

/** Someone the clock acts for. */
function asPerson(work: Work, userId: string): Identity {
  const role = userById(work.db, userId)?.role ?? 'user'
  return { userId, role, banned: false, server: false, expiresAtMs: undefined }
}

/** To every connection of the person, and to no one else. */
export function announceReminder(
  work: Work,
  row: ReminderRow,
  type: 'reminder.created' | 'reminder.updated' | 'reminder.deleted' | 'notification.reminder_due',
): void {
  const channel = channelByCid(work.db, row.cid)
  if (!channel) return
  const who = asPerson(work, row.user_id)
  const message = messageById(work.db, row.message_id)
  work.emit({
    event: channelEvent(type, channel, work.stamp(row.cid), {
      reminder: fullReminder(work, row, who) ?? encodeReminder(row),
      message_id: row.message_id,
      user_id: row.user_id,
      ...(message?.parent_id ? { parent_id: message.parent_id } : {}),
    }),
    to: { kind: 'users', ids: [row.user_id] },
    keep: { userId: row.user_id },
  })
}

function drop(work: Work, row: ReminderRow): void {
  removeReminder(work.db, row.user_id, row.message_id)
  announceReminder(work, row, 'reminder.deleted')
}

/** What fell due while the person was away: told on their first connection, once. */
export function sendWaiting(services: Services, userId: string): void {
  transact(services, (work) => {
    for (const row of takeWaiting(work.db, userId)) announceReminder(work, row, 'notification.reminder_due')
  })
}

/** A deleted message reminds no one. */
export function dropRemindersOf(work: Work, messageId: string): void {
  for (const row of remindersOfMessage(work.db, messageId)) drop(work, row)
}
