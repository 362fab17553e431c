import type { MessageId } from '#shared/lib/brand.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { type AboutReminder, aboutReminder } from './about.ts'
import { createAlarm, type Ring } from './alarm.ts'
import { forgetOldReminders, reminderCalls } from './calls.ts'
import { reminderEvents } from './events.ts'
import { removeReminder, setReminder } from './fetch.ts'

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
