import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import * as notes from '#main/cache/outbox/reminder-notes.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { visibleReminder } from '../../changes/visible-reminder.ts'
import type { CallContext } from '../../context.ts'
import type { Core } from '../../core.ts'

/** Completed reminders are listed for this long. */
const DONE_FOR_MS = 30 * 24 * 3_600_000

export function forgetOldReminders(core: Pick<Core, 'serverNow' | 'stores'>): void {
  core.stores.outbox.transaction((tx) => notes.forgetDoneBefore(tx, core.serverNow() - DONE_FOR_MS))
}

type Parts = Pick<Core, 'collector' | 'context' | 'outbox' | 'runner' | 'serverNow' | 'stores'>

/** Reminders are queued like other intents: set at once, sent when there is a connection. */
export function reminderCalls(core: Parts): HandlersOf<'reminders', CallContext> {
  return {
    open: (_input, { client }) => core.collector.openPlain(client, 'later'),
    close: (_input, { client }) => core.collector.close(client, 'later'),
    set: ({ messageId, remindAt }) => {
      const place = placeOf(core, messageId)
      const payload = { ...(remindAt === undefined ? {} : { remindAt }), setAt: core.serverNow() }
      core.outbox.add({ ...place, kind: 'set-reminder', payload }, (tx) => notes.remove(tx, messageId))
      core.runner.kick()
    },
    done: ({ messageId }) => end(core, messageId, 'done'),
    remove: ({ messageId }) => end(core, messageId, 'removed'),
  }
}

/** A reminder of an unsent message waits for the message. */
function placeOf(core: Pick<Core, 'context' | 'outbox'>, messageId: MessageId) {
  const message = visibleMessage(core.context, messageId)
  const reminder = visibleReminder(core.context, messageId)
  const cid = message?.cid ?? reminder?.cid
  if (cid === undefined || message?.type === 'deleted') throw new AppError('message/gone')
  const unsent = core.outbox.about(messageId).find((intent) => intent.kind === 'send-message')
  return { cid, parentId: message?.parentId, messageId, dependsOn: unsent?.id }
}

function end(core: Parts, messageId: MessageId, how: 'done' | 'removed'): void {
  const reminder = visibleReminder(core.context, messageId)
  if (!reminder) return
  const { cid, remindAt } = reminder
  const note = { messageId, cid, doneAt: core.serverNow(), remindAt }
  const isSet = reminder.doneAt === undefined
  if (isSet) {
    core.outbox.add({ cid, messageId, kind: 'delete-reminder', payload: {} }, (tx) =>
      how === 'done' ? notes.put(tx, note) : notes.remove(tx, messageId),
    )
    core.runner.kick()
  } else if (how === 'removed') {
    core.stores.outbox.transaction((tx) => notes.remove(tx, messageId))
  }
}
