import type { Effect, Place } from '#shared/domain/changes.ts'
import type { OwnSound, SoundName } from '#shared/domain/notification.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { ownSound } from '#shared/rules/notifications/notify-sounds.ts'
import type { CallContext } from '#main/engine/context.ts'
import type { Host, NoticeAction } from '#main/hosts/host.ts'
import type { Account } from '../accounts/account.ts'

/** Who asks the engine when a button of a notification was pressed: no window. */
export const FROM_SYSTEM: CallContext = { client: 'system-notification' }

/** Does what a pressed button asks for; what cannot be done is told in the windows and kept in their log. */
export function attempt({ engine }: Account, work: () => unknown): void {
  Promise.resolve()
    .then(work)
    .catch((error: unknown) => {
      const code = error instanceof AppError ? error.code : 'internal'
      engine.notify({ code, type: 'local:notification:failed', severity: 'error' })
    })
}

/** What is told, by the system or by a window. */
export type NotificationContent = Omit<Extract<Effect, { type: 'notify' }>, 'type' | 'opens'> & {
  /** Where a press on it leads, in its account. */
  readonly opens: Place
  /** What belongs together: a channel of an account. */
  readonly group?: { readonly id: string; readonly title: string }
  /** Makes no sound. */
  readonly silent: boolean
  /** Stays until it is answered; others go by themselves. */
  readonly stays?: boolean
  readonly actions?: readonly NoticeAction[]
  readonly reply?: { readonly placeholder: string; readonly onReply: (text: string) => void }
  /** The system says that it stands on the screen. */
  readonly onShown?: () => void
  /** The system refused it. */
  readonly onRefused?: () => void
}

/** What others wrote stands outside of Parlor here: nothing of it may turn a line round or grow. Source: reliability E18. */
const MAX_TITLE = 64
const MAX_BODY = 240

export type DeliveryOptions = {
  readonly host: Pick<Host, 'notifier'>
  /** Shows a window of this account and carries the effect out there. */
  readonly show: (account: Account, place: Place) => void
  /** To every window of this account: they show it where the system cannot. */
  readonly push: (account: Account, effect: Effect) => void
  /** In one window of this account. Answers whether there is one. */
  readonly play: (account: Account, sound: OwnSound) => boolean
  /** Says of which workspace it is, where there are several. */
  readonly titled: (account: Account, title: string) => string
}

/** The one way out for notifications of every kind: by the system, or by the windows where it cannot. */
export type Delivery = {
  notify(account: Account, content: NotificationContent): 'shown' | 'in-app'
  withdraw(account: Account, tag: string): void
}

export function createDelivery({ host, show, push, play, titled }: DeliveryOptions): Delivery {
  const { notifier } = host
  /** Whether a window makes the sound; without one the system makes its own. */
  const isHandled = (account: Account, sound: SoundName): boolean => {
    const name = ownSound(sound)
    return name !== undefined && play(account, name)
  }
  return {
    notify(account, { tag, title: plain, body: said, opens, onRefused, ...how }) {
      const title = cleanName(titled(account, plain), MAX_TITLE)
      const body = cleanName(said, MAX_BODY)
      const inApp = (): void =>
        push(account, { type: 'notify', title, body, tag, opens, sound: how.silent ? 'none' : how.sound })
      if (!notifier) {
        inApp()
        return 'in-app'
      }
      notifier.show({
        id: tag,
        title,
        body,
        ...how,
        silent: how.silent || how.sound === 'none' || isHandled(account, how.sound),
        onClick: () => show(account, opens),
        onRefused() {
          inApp()
          onRefused?.()
        },
      })
      return 'shown'
    },
    withdraw(account, tag) {
      if (notifier) notifier.withdraw(tag)
      else push(account, { type: 'withdraw', tag })
    },
  }
}
