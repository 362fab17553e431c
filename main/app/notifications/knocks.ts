import type { WaitingPerson } from '#shared/domain/sharing.ts'
import { notifiesOfInvitation } from '#shared/rules/notifications/notifying.ts'
import type { Account } from '../accounts/account.ts'
import type { ArrivalsOptions } from './arrivals.ts'
import { attempt, isSilent, localTime, shownOf } from './delivery.ts'

type KnocksOptions = {
  readonly arrivals: () => ArrivalsOptions
  /** The owner's account of a workspace on this device, if it is open. */
  readonly accountAt: (place: string) => Account | undefined
  readonly waiting: (place: string) => Promise<readonly WaitingPerson[]>
  readonly decide: (place: string, id: string, accept: boolean) => Promise<unknown>
}

/**
 * Notifies the owner of a shared workspace of those who ask to join, while no window of it is focused; they can be answered
 * from the notification. Once answered anywhere, it is withdrawn. In a window, a toast says the same.
 */
export class Knocks {
  readonly #options: KnocksOptions
  /** Requests that are known, by workspace: each notifies once. */
  readonly #known = new Map<string, Set<string>>()

  constructor(options: KnocksOptions) {
    this.#options = options
  }

  /** Someone may have asked to join, or no longer waits. */
  async look(place: string): Promise<void> {
    const account = this.#options.accountAt(place)
    if (!account) return
    const waiting = await this.#options.waiting(place).catch(() => undefined)
    if (!waiting) return
    const known = this.#known.get(place) ?? new Set<string>()
    this.#known.set(place, known)
    const { delivery } = this.#options.arrivals()
    for (const id of known) {
      if (waiting.some((each) => each.id === id)) continue
      known.delete(id)
      delivery.withdraw(account, tagOf(account, id))
    }
    for (const person of waiting) {
      if (known.has(person.id)) continue
      known.add(person.id)
      if (this.#notifies(account)) this.#notify(account, place, person)
    }
  }

  #notifies(account: Account): boolean {
    const { choices, clock, muted } = this.#options.arrivals()
    return notifiesOfInvitation(choices(), {
      authorMuted: false,
      accountMuted: muted(account),
      watching: account.engine.focuses().some(({ focused }) => focused),
      local: localTime(clock.now()),
    })
  }

  #notify(account: Account, place: string, { id, name, invitation }: WaitingPerson): void {
    const { delivery, translate, choices, isLocked } = this.#options.arrivals()
    const chosen = choices()
    const isHidden = shownOf(chosen) === 'nothing'
    const answer = (label: string, accept: boolean) => ({
      label: translate('notifications', label),
      run: () => attempt(account, () => this.#options.decide(place, id, accept)),
    })
    delivery.notify(account, {
      tag: tagOf(account, id),
      title: isHidden
        ? translate('notifications', 'system.knock')
        : translate('notifications', 'system.knocks', { name }),
      body: isHidden
        ? translate('notifications', 'system.invitationHidden')
        : translate('notifications', 'system.knocksWith', { invitation }),
      opens: { type: 'command', action: 'share' },
      silent: isSilent(chosen),
      sound: chosen.sounds.meant,
      // Who waits does so until they are answered.
      stays: true,
      actions: isLocked?.() === true ? [] : [answer('system.letIn', true), answer('system.decline', false)],
    })
  }
}

const tagOf = ({ key }: Account, id: string): string => `${key} knock ${id}`
