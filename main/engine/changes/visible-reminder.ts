import type { Intent } from '#shared/domain/intent.ts'
import type { Reminder } from '#shared/domain/reminder.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import { compareReminders } from '#shared/rules/reminders/reminders.ts'
import type { ReminderNote, ReminderRow } from '#main/cache/rows.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as notes from '#main/cache/outbox/reminder-notes.ts'
import * as reminders from '#main/cache/people/reminders.ts'
import type { ReadContext } from './read-context.ts'

/**
 * The reminder as the viewer sees it: the server's, with pending intents and with state that only this device has.
 */
export function visibleReminder(context: ReadContext, messageId: string): Reminder | undefined {
  const fact = reminders.byId(context.cache, messageId)
  const intent = context.outbox.about(asMessageId(messageId)).filter(isAboutReminder).at(-1)
  const note = notes.byId(context.pending, messageId)
  // Without its message there is nothing to return to.
  if (messages.byId(context.cache, messageId)?.type === 'deleted') return undefined
  const set = setOf(fact, intent)
  return set ? withRing(set, note) : doneOf(note)
}

/** Every reminder as the viewer sees it, in the order of the list. */
export function laterReminders(context: ReadContext): readonly Reminder[] {
  const ids = new Set<string>([
    ...reminders.all(context.cache).map((row) => row.messageId),
    ...notes.all(context.pending).map((note) => note.messageId),
    ...context.outbox.all().flatMap((intent) => (isAboutReminder(intent) ? (intent.messageId ?? []) : [])),
  ])
  return [...ids].flatMap((id) => visibleReminder(context, id) ?? []).toSorted(compareReminders)
}

/** Every message that has one, in the order of the list. */
export const laterOrder = (context: ReadContext): readonly string[] =>
  laterReminders(context).map(({ messageId }) => messageId)

type ReminderIntent = Extract<Intent, { kind: 'set-reminder' | 'delete-reminder' }>

const isAboutReminder = (intent: Intent): intent is ReminderIntent =>
  (intent.kind === 'set-reminder' || intent.kind === 'delete-reminder') && intent.state !== 'parked'

function setOf(fact: ReminderRow | undefined, intent: ReminderIntent | undefined): Reminder | undefined {
  if (intent === undefined) return fact && { ...shown(fact), pending: false }
  if (intent.kind === 'delete-reminder' || intent.messageId === undefined) return undefined
  const { remindAt, setAt } = intent.payload
  return {
    messageId: intent.messageId,
    cid: intent.cid,
    remindAt,
    pending: true,
    createdAt: fact?.createdAt ?? setAt,
    updatedAt: setAt,
  }
}

function shown({ messageId, cid, remindAt, createdAt, updatedAt }: ReminderRow): Omit<Reminder, 'pending'> {
  return { messageId, cid, remindAt, createdAt, updatedAt }
}

const withRing = (reminder: Reminder, note: ReminderNote | undefined): Reminder =>
  note?.rangAt !== undefined && note.rangFor === reminder.remindAt ? { ...reminder, rangAt: note.rangAt } : reminder

function doneOf(note: ReminderNote | undefined): Reminder | undefined {
  if (note?.doneAt === undefined) return undefined
  const { messageId, cid, doneAt, remindAt } = note
  const when = remindAt === undefined ? {} : { remindAt }
  return { messageId, cid, ...when, doneAt, pending: false, createdAt: doneAt, updatedAt: doneAt }
}
