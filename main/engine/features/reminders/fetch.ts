import type { IntentFor } from '#shared/domain/intent.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import {
  createReminder,
  deleteReminder,
  queryReminders,
  updateReminder,
  type WireReminder,
} from '#shared/wire/messages.ts'
import { asMessageId, asCid } from '#shared/lib/brand.ts'
import * as meta from '#main/cache/meta.ts'
import * as reminders from '#main/cache/people/reminders.ts'
import type { Tx } from '#main/cache/store.ts'
import type { ReminderRow } from '#main/cache/rows.ts'
import { ApiError } from '../../api/errors.ts'
import type { Core } from '../../core.ts'
import { asList, cursorOf, asWire, idOf, timeOf, type DecodeContext } from '../../decode/read.ts'
import type { Done } from '../../outbox/runner.ts'
import type { Appliers, ApplyContext } from '../../sync/ingest.ts'
import { writeLoose } from '../../sync/write.ts'

const PAGE = 100
/** Bound for a server that never ends its list. */
const MAX_PAGES = 50

type Parts = Pick<Core, 'api' | 'asOf' | 'life' | 'me' | 'write'>

/** Fetches all reminders: users have few, and every screen needs them. */
export async function fetchReminders(core: Parts): Promise<void> {
  const asOf = core.asOf()
  const wires: WireReminder[] = []
  let next: string | undefined
  let isWhole = false
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const reply = await core.api.send(queryReminders, {
      body: { limit: PAGE, next },
      signal: core.life,
    })
    wires.push(...(asList(reply.reminders) as readonly WireReminder[]))
    isWhole = !reply.next
    next = cursorOf(reply.next, next)
    if (next === undefined) break
  }
  core.write((tx) => {
    meta.noteAnswered(tx, 'later')
    const rows = wires.flatMap((wire) => {
      const row = decodeReminder(wire, { viewerId: core.me, asOf, isAnswer: true })
      if (row) writeMessage(tx, wire, row.cid, asOf)
      return row ?? []
    })
    // An incomplete list does not name all reminders: a missing one may still exist.
    if (isWhole) reminders.replaceAll(tx, rows, asOf)
    else for (const row of rows) reminders.put(tx, row)
  })
}

const MISSING = /reminder does not exist/
const DUPLICATE = /already has reminder created for this message_id/

/** If known: updates it, or creates it if the server has none; if unknown, the other way round. */
export async function setReminder(
  core: Pick<Core, 'api' | 'asOf' | 'cache' | 'me'>,
  intent: IntentFor<'set-reminder'>,
  signal: AbortSignal,
): Promise<Done> {
  const id = asMessageId(intent.messageId ?? '')
  const { remindAt } = intent.payload
  const asOf = core.asOf()
  const request = {
    params: { id },
    body: { remind_at: remindAt === undefined ? null : formatTime(remindAt) },
    cid: intent.cid,
    signal,
  }
  const update = () => core.api.send(updateReminder, request)
  const create = () => core.api.send(createReminder, request)
  const isKnown = reminders.byId(core.cache.reader, id) !== undefined
  const reply = isKnown ? await withFallback(update, MISSING, create) : await withFallback(create, DUPLICATE, update)
  const row = decodeReminder(reply.reminder ?? reply, { viewerId: core.me, asOf, isAnswer: true })
  return row ? { apply: (tx) => reminders.put(tx, row) } : {}
}

export async function removeReminder(
  core: Pick<Core, 'api' | 'asOf' | 'cache'>,
  intent: IntentFor<'delete-reminder'>,
  signal: AbortSignal,
): Promise<Done> {
  const id = asMessageId(intent.messageId ?? '')
  const asOf = core.asOf()
  await core.api.send(deleteReminder, { params: { id }, signal })
  return { apply: (tx) => reminders.remove(tx, { messageId: id, cid: intent.cid, asOf: removedAsOf(core, id, asOf) }) }
}

/** The response has no time: it is at least as new as the request and the stored copy. */
function removedAsOf(core: Pick<Core, 'cache'>, id: string, asOf: number): number {
  return Math.max(asOf, reminders.byId(core.cache.reader, id)?.asOf ?? 0)
}

async function withFallback<T>(first: () => Promise<T>, text: RegExp, second: () => Promise<T>): Promise<T> {
  try {
    return await first()
  } catch (error) {
    if (!(error instanceof ApiError) || !text.test(error.message)) throw error
    return second()
  }
}

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
function writeMessage(tx: Tx, wire: unknown, cid: Parameters<typeof writeLoose>[2]['cid'], asOf: number): void {
  const message = (wire as { readonly message?: unknown }).message
  if (message) writeLoose(tx, [message], { asOf, cid })
}

const contextOf = (context: ApplyContext) => ({ viewerId: context.me, asOf: context.at, isAnswer: false })

/** See docs/wire.md 5.13. Reminders of other users are dropped. */
function decodeReminder(value: unknown, context: DecodeContext): ReminderRow | undefined {
  const wire = asWire(value)
  const messageId = idOf(wire?.['message_id'])
  const cid = idOf(wire?.['channel_cid'])
  if (!wire || messageId === undefined || cid === undefined) {
    context.dropped?.('reminder')
    return undefined
  }
  if ((idOf(wire['user_id']) ?? context.viewerId) !== context.viewerId) return undefined
  const createdAt = timeOf(wire['created_at']) ?? context.asOf
  const updatedAt = timeOf(wire['updated_at']) ?? createdAt
  return {
    messageId: asMessageId(messageId),
    cid: asCid(cid),
    remindAt: timeOf(wire['remind_at']),
    createdAt,
    updatedAt,
    // A response is at least as new as the last change of the reminder.
    asOf: Math.max(context.asOf, updatedAt),
  }
}
