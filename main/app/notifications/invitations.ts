import type { InviteArrival } from '#shared/domain/channel.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { notifiesOfInvitation } from '#shared/rules/notifications/notifying.ts'
import type { Stop } from '#main/lib/clock.ts'
import type { Account } from '../accounts/account.ts'
import { isSilent, shownOf, localTime, attempt, FROM_SYSTEM } from './delivery.ts'
import type { ArrivalsOptions } from './arrivals.ts'

/**
 * Notifies of invitations while no window of the account is focused; they can be answered from the notification or in the
 * window. Once answered anywhere, the notification is withdrawn.
 */
export function watchInvitations(
  account: Account,
  options: ArrivalsOptions,
): { readonly hide: Stop; readonly stop: Stop } {
  const { engine, key } = account
  const { delivery } = options
  const shownCids = new Set<Cid>()
  const withdraw = (cid: Cid): void => {
    shownCids.delete(cid)
    delivery.withdraw(account, tagOf(key, cid))
  }
  const stop = engine.onCommitted(({ invited }) => {
    if (shownCids.size > 0) {
      const waiting = new Set(engine.invites().map(({ cid }) => cid))
      for (const cid of shownCids) if (!waiting.has(cid)) withdraw(cid)
    }
    for (const invite of invited) {
      if (!isNotified(account, invite, options)) continue
      shownCids.add(invite.cid)
      notify(account, invite, options)
    }
  })
  const hide = (): void => {
    for (const cid of shownCids) withdraw(cid)
  }
  return {
    hide,
    stop() {
      stop()
      hide()
    },
  }
}

function isNotified(
  account: Account,
  { byId, byMuted }: InviteArrival,
  { choices, clock, muted }: ArrivalsOptions,
): boolean {
  return notifiesOfInvitation(choices(), {
    byId,
    authorMuted: byMuted,
    accountMuted: muted(account),
    watching: account.engine.focuses().some(({ focused }) => focused),
    local: localTime(clock.now()),
  })
}

function notify(
  account: Account,
  { cid, name, by }: InviteArrival,
  { delivery, translate, choices, isLocked }: ArrivalsOptions,
): void {
  const chosen = choices()
  const isHidden = shownOf(chosen) === 'nothing'
  const answer = (label: string, accept: boolean) => ({
    label: translate('notifications', label),
    run: () => attempt(account, () => account.engine.handlers.channels.answerInvite({ cid, accept }, FROM_SYSTEM)),
  })
  delivery.notify(account, {
    tag: tagOf(account.key, cid),
    title:
      isHidden || by === undefined
        ? translate('notifications', 'system.invitation')
        : translate('notifications', 'system.invited', { by }),
    body: isHidden
      ? translate('notifications', 'system.invitationHidden')
      : translate('notifications', 'system.invitedTo', { place: name }),
    opens: { type: 'command', action: 'browse' },
    silent: isSilent(chosen),
    sound: chosen.sounds.meant,
    actions: isLocked?.() ? [] : [answer('system.accept', true), answer('system.decline', false)],
  })
}

const tagOf = (key: string, cid: Cid): string => `${key} invitation ${cid}`
