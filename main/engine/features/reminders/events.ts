import * as reminders from '#main/cache/people/reminders.ts'
import type { Tx } from '#main/cache/tx.ts'
import { decodeReminder } from '../../decode/reminder.ts'
import type { Appliers, ApplyContext } from '../../sync/appliers.ts'
import { writeLoose } from '../../sync/write.ts'

/** See docs/wire.md 4.10. Only the viewer's own connections receive them. */
export const reminderEvents: Appliers = {
  'reminder.created': (tx, event, context) => put(tx, event.reminder, context),
  'reminder.updated': (tx, event, context) => put(tx, event.reminder, context),
  'reminder.deleted': (tx, event, context) => {
    const row = decodeReminder(event.reminder, contextOf(context))
    if (row) reminders.remove(tx, { ...row, asOf: context.at })
  },
  'notification.reminder_due': (tx, event, context) => put(tx, event.reminder, context),
}

function put(tx: Tx, wire: unknown, context: ApplyContext): void {
  const row = decodeReminder(wire, contextOf(context))
  if (!row) return
  reminders.put(tx, row)
  writeMessage(tx, wire, row.cid, context.at)
}

/** The full form contains the message, which may be in no cached page. */
export function writeMessage(tx: Tx, wire: unknown, cid: Parameters<typeof writeLoose>[2]['cid'], asOf: number): void {
  const message = (wire as { readonly message?: unknown }).message
  if (message) writeLoose(tx, [message], { asOf, cid })
}

const contextOf = (context: ApplyContext) => ({ viewerId: context.me, asOf: context.at, isAnswer: false })
