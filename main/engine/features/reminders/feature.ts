import type { MessageId } from '#shared/lib/brand.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import * as notes from '#main/cache/outbox/reminder-notes.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import { visibleReminder } from '../../changes/visible.ts'
import type { CallContext } from '../../context.ts'
import { type AboutReminder, aboutReminder, createAlarm, type Ring } from './alarm.ts'
import { reminderEvents, removeReminder, setReminder } from './fetch.ts'

declare module '../../registry/feature.ts' {
  interface Offers {
    /** Reminders that became due, once for each time, with or without a window and a connection. */
    onRing(listener: (ring: Ring) => void): () => void
    /** The reminder of a message for a notification; absent if there is none. */
    aboutReminder(messageId: MessageId): AboutReminder | undefined
    /** The device woke from sleep, or its clock was changed: reminders may be due. */
    woke(): void
  }
}

type Parts = Pick<Core, 'collector' | 'context' | 'outbox' | 'ports' | 'runner' | 'serverNow' | 'stores'>

export const remindersFeature = defineFeature({
  events: reminderEvents,
  kinds: { 'set-reminder': { perform: setReminder }, 'delete-reminder': { perform: removeReminder } },
  create(core: Parts) {
    const alarm = createAlarm(core)
    return {
      calls: { reminders: reminderCalls(core) },
      offers: {
        onRing: (listener: (ring: Ring) => void) => alarm.onRing(listener),
        aboutReminder: (messageId: MessageId) => aboutReminder(core.context, messageId),
        woke: () => alarm.plan(),
      },
      start: [{ phase: 'before-connection', order: 10, run: () => forgetOldReminders(core) }],
      stop: [{ phase: 'timers', order: 30, run: () => alarm.stop() }],
      onCommit: [
        {
          order: 10,
          run(commit) {
            if (commit.remindersChanged) alarm.plan()
          },
        },
      ],
    }
  },
})

/** Completed reminders are listed for this long. */
const DONE_FOR_MS = 30 * 24 * 3_600_000

function forgetOldReminders(core: Pick<Core, 'serverNow' | 'stores'>): void {
  core.stores.outbox.transaction((tx) => notes.forgetDoneBefore(tx, core.serverNow() - DONE_FOR_MS))
}

/** Reminders are queued like other intents: set at once, sent when there is a connection. */
function reminderCalls(core: Parts): HandlersOf<'reminders', CallContext> {
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
