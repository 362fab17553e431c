import type { Reminder } from '#shared/domain/message.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import * as notes from '#main/cache/outbox/reminder-notes.ts'
import type { Stop } from '#main/lib/clock.ts'
import { laterReminders, visibleReminder, visibleChannel, visibleUser } from '../../changes/visible.ts'
import type { Core } from '../../core.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import type { ReadContext } from '../../changes/memory.ts'

/** Reminders that are due now, once for each time; `missed` ones became due while the app was not running. */
export type Ring = { readonly due: readonly Reminder[]; readonly missed: readonly Reminder[] }

/**
 * Fires reminders by the server's clock, with or without a connection and a window. A reminder is stored as fired before
 * listeners are called, so that neither a restart nor the server's own event fires it twice. Without listeners nothing
 * fires.
 */
type Alarm = {
  /** Reschedules: after reminders changed, the device woke up, or the server reported a due one. */
  plan(): void
  onRing(listener: (ring: Ring) => void): Stop
  stop(): void
}

/** Clocks can be changed and devices sleep: checks at least this often. */
const CHECK_EVERY_MS = 60_000
/** A reminder that became due earlier than this was missed. */
const MISSED_AFTER_MS = 2 * CHECK_EVERY_MS

export function createAlarm(core: Pick<Core, 'context' | 'ports' | 'serverNow' | 'stores'>): Alarm {
  const listeners = new Set<(ring: Ring) => void>()
  let timer: Stop | undefined
  let isStopped = false

  function plan(): void {
    timer?.()
    timer = undefined
    if (isStopped || listeners.size === 0) return
    const now = core.serverNow()
    const waiting = laterReminders(core.context).filter(
      ({ doneAt, rangAt }) => doneAt === undefined && rangAt === undefined,
    )
    ring(
      waiting.filter(({ remindAt }) => remindAt !== undefined && remindAt <= now),
      now,
    )
    const next = Math.min(
      ...waiting.flatMap(({ remindAt }) => (remindAt !== undefined && remindAt > now ? remindAt : [])),
    )
    if (Number.isFinite(next)) timer = core.ports.clock.after(Math.min(next - now, CHECK_EVERY_MS), plan)
  }

  function ring(due: readonly Reminder[], now: number): void {
    if (due.length === 0) return
    core.stores.outbox.transaction((tx) => {
      for (const { messageId, cid, remindAt } of due) notes.put(tx, { messageId, cid, rangFor: remindAt, rangAt: now })
    })
    const isMissed = ({ remindAt = now }: Reminder): boolean => now - remindAt > MISSED_AFTER_MS
    const result: Ring = { due: due.filter((each) => !isMissed(each)), missed: due.filter(isMissed) }
    for (const listener of listeners) listener(result)
  }

  return {
    plan,
    onRing(listener) {
      listeners.add(listener)
      timer ??= core.ports.clock.after(0, plan)
      return () => listeners.delete(listener)
    },
    stop() {
      isStopped = true
      timer?.()
    },
  }
}

/** A reminder with the texts of a system notification; they are empty if the message is not cached. */
export type AboutReminder = {
  readonly reminder: Reminder
  readonly parentId: MessageId | undefined
  readonly author: string
  /** Name of the channel; empty in a direct conversation. */
  readonly place: string
  readonly text: string
}

export function aboutReminder(context: ReadContext, messageId: MessageId): AboutReminder | undefined {
  const reminder = visibleReminder(context, messageId)
  if (!reminder) return undefined
  const message = visibleMessage(context, messageId)
  const channel = visibleChannel(context, reminder.cid)
  const author = message && visibleUser(context, message.userId)
  return {
    reminder,
    parentId: message?.parentId,
    author: author?.name ?? message?.userId ?? '',
    place: channel && channel.directUserIds.length === 0 ? channel.name : '',
    text: message?.text ?? '',
  }
}
