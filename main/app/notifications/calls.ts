import type { HandlersOf } from '#shared/bridge/index.ts'
import type { NotifyProof, NotificationChoices } from '#shared/domain/notification.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { quietBy } from '#shared/rules/notifications/notifying.ts'
import type { PowerCapability } from '#main/hosts/host.ts'
import type { Account } from '../accounts/account.ts'
import type { CallWindow } from '../windows/windows.ts'
import type { Arrivals, ArrivalsOptions } from './arrivals.ts'
import { localTime } from './delivery.ts'

/** Time limit for the system to confirm that a notification is shown. */
const PATIENCE_MS = 3_000

type NotificationCallsOptions = ArrivalsOptions & { readonly arrivals: Arrivals }

/** `notifications.*` of the contract. */
export function notificationCalls(options: NotificationCallsOptions): HandlersOf<'notifications', CallWindow> {
  const { arrivals } = options
  return {
    why: ({ messageId }, { account }) => arrivals.history(signedIn(account)).of(messageId),
    history: (_input, { account }) => arrivals.history(signedIn(account)).all(),
    interruptions: (_input, { account }) => signedIn(account).engine.interruptions(),
    prove: async (_input, { account }) => ({
      outcome: await prove(options, signedIn(account)),
      quiet: heldBackBy(options, signedIn(account)),
    }),
  }
}

/** The strongest reason first, in the order of the notification rules. */
function heldBackBy({ muted, choices, clock }: ArrivalsOptions, account: Account): NotifyProof['quiet'] {
  if (muted(account)) return 'account'
  if (choices().level === 'none') return 'level'
  return quietBy(choices(), localTime(clock.now()))
}

function signedIn(account: CallWindow['account']): Account {
  const known = account()
  if (!known) throw new AppError('session/signed-out')
  return known
}

function prove(
  { delivery, translate, choices, clock }: ArrivalsOptions,
  account: Account,
): Promise<NotifyProof['outcome']> {
  return new Promise((resolve) => {
    const outcome = delivery.notify(account, {
      tag: `${account.key} test`,
      title: translate('notifications', 'system.proofTitle'),
      body: translate('notifications', 'system.proofBody'),
      opens: { type: 'command', action: 'settings' },
      silent: !choices().sound,
      sound: choices().sounds.meant,
      onShown: () => resolve('shown'),
      onRefused: () => resolve('refused'),
    })
    if (outcome === 'in-app') resolve('in-app')
    else clock.after(PATIENCE_MS, () => resolve('silence'))
  })
}

/** The notification settings; without message text while the screen or Parlor is locked, but with sound. */
export function choicesWhenLocked(
  power: PowerCapability | undefined,
  chosen: () => NotificationChoices,
  isLocked: () => boolean = () => false,
): () => NotificationChoices {
  let locked = false
  power?.onLock(() => void (locked = true))
  power?.onUnlock(() => void (locked = false))
  return () => (locked || isLocked() ? { ...chosen(), preview: 'nothing' } : chosen())
}
