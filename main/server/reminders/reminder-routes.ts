import * as v from 'valibot'
import {
  createReminder,
  deleteReminder,
  queryReminders,
  updateReminder,
  type WireReminder,
} from '#shared/wire/messages.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { time } from '../http/shapes.ts'
import { reminderList, cursorBody, readCursorPage } from '../store/query/lists.ts'
import { accessTo, mayRead } from '../channels/access.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { messageById } from '../messages/message-table.ts'
import { userById } from '../users/user-tables.ts'
import { transact, type Services, type Work } from '../work.ts'
import { channelForMany } from '../channels/channel-state.ts'
import { channelEvent } from '../realtime/emission.ts'
import { messageFor } from '../messages/message-announce.ts'
import { isVisible, openMessage, type OpenMessage } from '../messages/message-checks.ts'
import {
  encodeReminder,
  deleteReminder as removeReminder,
  putReminder,
  reminderOf,
  remindersOfMessage,
  takeMissed,
  type ReminderRow,
} from './reminder-table.ts'

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

function openRemindable(work: Work, messageId: string, who: Identity): OpenMessage {
  if (who.userId === '') return refuse('input', 'a server token must name a user')
  const place = openMessage(work, messageId, who)
  if (!place.access.flags.user_message_reminders) {
    refuse('featureNotSupported', 'reminders are switched off in this channel')
  }
  if (place.row.deleted_at !== null) refuse('input', 'a deleted message cannot have a reminder')
  return place
}

/** A new time makes the reminder fire again. See docs/wire.md 8.15. */
function put(
  work: Work,
  place: OpenMessage,
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
 * See docs/wire.md 5.13. `undefined` when the message or its channel no longer exists; the base form for a user who may
 * no longer read them.
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

/** The identity of the user whose reminder is due. */
function identityOf(work: Work, userId: string): Identity {
  const role = userById(work.db, userId)?.role ?? 'user'
  return { userId, role, banned: false, server: false, expiresAtMs: undefined }
}

/** Sent to every connection of the user, and to no one else. */
export function announceReminder(
  work: Work,
  row: ReminderRow,
  type: 'reminder.created' | 'reminder.updated' | 'reminder.deleted' | 'notification.reminder_due',
): void {
  const channel = channelByCid(work.db, row.cid)
  if (!channel) return
  const who = identityOf(work, row.user_id)
  const message = messageById(work.db, row.message_id)
  work.emit({
    event: channelEvent(type, channel, work.stamp(row.cid), {
      reminder: fullReminder(work, row, who) ?? encodeReminder(row),
      message_id: row.message_id,
      user_id: row.user_id,
      ...(message?.parent_id ? { parent_id: message.parent_id } : {}),
    }),
    to: { kind: 'users', ids: [row.user_id] },
    log: { userId: row.user_id },
  })
}

function drop(work: Work, row: ReminderRow): void {
  removeReminder(work.db, row.user_id, row.message_id)
  announceReminder(work, row, 'reminder.deleted')
}

/** Sends the reminders that fell due while the user was disconnected, once, on their next connection. */
export function sendMissedReminders(services: Services, userId: string): void {
  transact(services, (work) => {
    for (const row of takeMissed(work.db, userId)) announceReminder(work, row, 'notification.reminder_due')
  })
}

/** Deletes the reminders of a deleted message. */
export function dropRemindersOf(work: Work, messageId: string): void {
  for (const row of remindersOfMessage(work.db, messageId)) drop(work, row)
}
