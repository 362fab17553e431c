import type { Reminder } from '#shared/domain/message.ts'
import type { NotificationChoices } from '#shared/domain/notification.ts'
import { asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import type { AboutReminder, Ring } from '#main/engine/features/reminders/alarm.ts'
import type { Engine } from '#main/engine/engine.ts'
import type { NoticeAction } from '#main/hosts/host.ts'
import type { Stop } from '#main/lib/clock.ts'
import type { Account } from '../accounts/account.ts'
import type { Translate } from '../texts.ts'
import {
  BODY_LENGTH,
  isSilent,
  shownOf,
  attempt,
  FROM_SYSTEM,
  type Delivery,
  type NotificationContent,
} from './delivery.ts'

/** More reminders at once are summarized in one notification. */
const ONE_BY_ONE = 3

type ReminderNotifierOptions = {
  readonly delivery: Delivery
  readonly translate: Translate
  /** Reminders have a separate sound, and show no more of the message than other notifications. */
  readonly choices: () => NotificationChoices
}

/**
 * Notifies of reminders by the system while no window of the account is focused; a focused window shows its own notice.
 * Once it is handled, the notification is withdrawn.
 */
export class ReminderNotifier {
  readonly #options: ReminderNotifierOptions
  readonly #hiding = new Set<() => void>()

  constructor(options: ReminderNotifierOptions) {
    this.#options = options
  }

  /** The system no longer shows any earlier notification. */
  hide(): void {
    for (const hide of this.#hiding) hide()
  }

  watch(account: Account): Stop {
    const shown = new Set<MessageId>()
    const stopRing = account.engine.onRing((ring) => this.#ring(account, ring, shown))
    const stopCommits = account.engine.onCommitted(({ remindersChanged }) => {
      if (remindersChanged) this.#withdraw(account, shown)
    })
    const hide = (): void => {
      for (const id of shown) this.#options.delivery.withdraw(account, noticeId(account, id))
      shown.clear()
    }
    this.#hiding.add(hide)
    return () => {
      stopRing()
      stopCommits()
      hide()
      this.#hiding.delete(hide)
    }
  }

  #ring(account: Account, { due, missed }: Ring, shown: Set<MessageId>): void {
    if (account.engine.focuses().some(({ focused }) => focused)) return
    for (const some of [due, missed]) {
      if (some.length > ONE_BY_ONE) this.#notifyGrouped(account, some.length, some === missed)
      else for (const reminder of some) this.#notifyOne(account, reminder, shown)
    }
  }

  #notifyOne(account: Account, { messageId, cid }: Reminder, shown: Set<MessageId>): void {
    const about = account.engine.aboutReminder(messageId)
    if (!about) return
    const { translate, choices } = this.#options
    const { parentId } = about
    const title = translate('reminders', 'system.title')
    const body = bodyOf(about, shownOf(choices()), translate)
    const opens = { type: 'focus', cid, messageId, ...(parentId === undefined ? {} : { parentId }) } as const
    const { reminders } = account.engine.handlers
    const answer = (key: string, run: () => unknown): NoticeAction => ({
      label: translate('reminders', key),
      run: () => attempt(account, run),
    })
    const snooze = (ms: number): unknown =>
      reminders.set({ messageId, remindAt: account.engine.serverNow() + ms }, FROM_SYSTEM)
    this.#notify(account, {
      tag: noticeId(account, messageId),
      title,
      body,
      opens,
      stays: true,
      actions: [
        answer('system.done', () => reminders.done({ messageId }, FROM_SYSTEM)),
        answer('system.snoozeShort', () => snooze(10 * 60_000)),
        answer('system.snoozeLong', () => snooze(60 * 60_000)),
      ],
    })
    shown.add(messageId)
  }

  #notifyGrouped(account: Account, count: number, isMissed: boolean): void {
    const { translate } = this.#options
    const title = translate('reminders', isMissed ? 'system.missed' : 'system.several', { count })
    const opens = { type: 'command', action: 'reminders' } as const
    this.#notify(account, {
      tag: `${account.key} reminders`,
      title,
      body: translate('reminders', 'system.open'),
      opens,
    })
  }

  #notify(account: Account, content: Omit<NotificationContent, 'silent' | 'sound'>): void {
    const { delivery, choices } = this.#options
    const chosen = choices()
    delivery.notify(account, { ...content, reminds: true, silent: isSilent(chosen), sound: chosen.sounds.reminder })
  }

  #withdraw(account: Account, shown: Set<MessageId>): void {
    for (const id of shown) {
      if (isRinging(account.engine, id)) continue
      shown.delete(id)
      this.#options.delivery.withdraw(account, noticeId(account, id))
    }
  }
}

const noticeId = ({ key }: Pick<Account, 'key'>, id: string): string => `${key} reminder ${id}`

/** It fired for its current time and was not handled. */
function isRinging(engine: Engine, id: string): boolean {
  const reminder = engine.aboutReminder(asMessageId(id))?.reminder
  return reminder?.rangAt !== undefined && reminder.doneAt === undefined
}

/** `Jonas Lindqvist in #release-4-2: The Polish banner wraps…` */
function bodyOf(
  { author, place, text }: AboutReminder,
  shown: NotificationChoices['preview'],
  translate: Translate,
): string {
  if (shown === 'nothing') return translate('reminders', 'system.hidden')
  const who = place === '' ? author : translate('reminders', 'system.inPlace', { author, place })
  const body = shown === 'sender' ? '' : excerpt(text, BODY_LENGTH)
  return [who, body].filter((part) => part !== '').join(': ')
}
