import type { NotificationChoices } from '#shared/domain/notification.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { isQuiet } from '#shared/rules/notifications/notifying.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { Account } from '../accounts/account.ts'
import type { Translate } from '../texts.ts'
import type { Delivery } from './delivery.ts'
import { isOver } from './content.ts'
import { localTime } from './local-time.ts'

const CHECK_EVERY_MS = 60_000

type SummaryOptions = {
  readonly account: Account
  readonly delivery: Delivery
  readonly translate: Translate
  readonly choices: () => NotificationChoices
  readonly clock: Pick<Clock, 'now' | 'after'>
}

/**
 * Counts messages that only quiet hours held back, and notifies of their number when those end; the notification opens the
 * inbox. Messages read meanwhile are not counted.
 */
export function createSummary(options: SummaryOptions): { add(id: MessageId): void; stop(): void } {
  const { account, delivery, translate, choices, clock } = options
  let heldBack = new Set<MessageId>()
  let timer: Stop | undefined

  function check(): void {
    timer = undefined
    if (isQuiet(choices(), localTime(clock.now()))) {
      timer = clock.after(CHECK_EVERY_MS, check)
      return
    }
    const waiting = [...heldBack]
      .flatMap((id) => account.engine.aboutArrival(id) ?? [])
      .filter((about) => !isOver(about))
    heldBack = new Set()
    if (waiting.length === 0) return
    delivery.notify(account, {
      tag: `${account.key} summary`,
      title: translate('notifications', 'system.summary', { count: waiting.length }),
      body: translate('notifications', 'system.open'),
      opens: { type: 'command', action: 'catchUp' },
      silent: true,
      sound: 'none',
    })
  }

  return {
    add(id) {
      heldBack.add(id)
      timer ??= clock.after(CHECK_EVERY_MS, check)
    },
    stop() {
      timer?.()
    },
  }
}
