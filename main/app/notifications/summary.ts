import type { NotificationChoices } from '#shared/domain/notification.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { isQuiet } from '#shared/rules/notifications/notifying.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { Account } from '../accounts/account.ts'
import type { Translate } from '../texts.ts'
import type { Delivery } from './delivery.ts'
import { isOver } from './content.ts'
import { localTime } from './local-time.ts'

const LOOK_AGAIN_MS = 60_000

type SummaryOptions = {
  readonly account: Account
  readonly delivery: Delivery
  readonly translate: Translate
  readonly choices: () => NotificationChoices
  readonly clock: Pick<Clock, 'now' | 'after'>
}

/**
 * Counts what only the hour kept back, and tells it in one sentence when the quiet is over; it leads to the inbox. What
 * was read meanwhile is not counted.
 */
export function createSummary(options: SummaryOptions): { add(id: MessageId): void; stop(): void } {
  const { account, delivery, translate, choices, clock } = options
  let kept = new Set<MessageId>()
  let timer: Stop | undefined

  function look(): void {
    timer = undefined
    if (isQuiet(choices(), localTime(clock.now()))) {
      timer = clock.after(LOOK_AGAIN_MS, look)
      return
    }
    const waiting = [...kept].flatMap((id) => account.engine.aboutArrival(id) ?? []).filter((about) => !isOver(about))
    kept = new Set()
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
      kept.add(id)
      timer ??= clock.after(LOOK_AGAIN_MS, look)
    },
    stop() {
      timer?.()
    },
  }
}
