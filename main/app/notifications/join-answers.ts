import type { JoinState, PendingJoin, WaitingPerson } from '#shared/domain/sharing.ts'
import { notifiesOfInvitation } from '#shared/rules/notifications/notifying.ts'
import type { Stop } from '#main/lib/clock.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { Account } from '../accounts/account.ts'
import type { ArrivalsOptions } from './arrivals.ts'
import { type DeviceNotification, isSilent, localTime, shownOf, attempt } from './delivery.ts'

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

/** How often it is asked for, and how often while the other device is out of reach. */
const EVERY_MS = 10_000
const UNREACHABLE_MS = 60_000
const TAG = 'join answer'

type JoinAnswersOptions = {
  readonly arrivals: () => ArrivalsOptions
  readonly notifyDevice: (content: DeviceNotification) => void
  /** See `Joining.check`. Rejects while the other device is out of reach. */
  readonly check: () => Promise<{
    readonly state: JoinState
    readonly pending?: PendingJoin
    readonly ref?: AccountRef
  }>
  readonly accountOf: (ref: AccountRef) => Account | undefined
}

/**
 * Notifies somebody who asked to join a workspace of the owner's answer, once they have left the page on which they waited.
 * They are in by then, or the page says why not.
 */
export class JoinAnswers {
  readonly #options: JoinAnswersOptions
  #timer: Stop | undefined
  #isAsking = false
  #isStopped = false

  constructor(options: JoinAnswersOptions) {
    this.#options = options
  }

  /** A request may wait: its answer is asked for from now on, until there is one. */
  watch(): void {
    if (this.#timer === undefined && !this.#isAsking && !this.#isStopped) this.#askIn(EVERY_MS)
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.()
  }

  #askIn(ms: number): void {
    this.#timer = this.#options.arrivals().clock.after(ms, () => void this.#ask())
  }

  async #ask(): Promise<void> {
    this.#timer = undefined
    this.#isAsking = true
    const answer = await this.#options.check().catch(() => undefined)
    this.#isAsking = false
    if (this.#isStopped) return
    if (!answer) return this.#askIn(UNREACHABLE_MS)
    const { state, pending, ref } = answer
    if (!pending) return
    if (state === 'waiting') return this.#askIn(EVERY_MS)
    if (this.#notifies()) this.#notify(state, pending, ref)
  }

  #notifies(): boolean {
    const { choices, clock } = this.#options.arrivals()
    const local = localTime(clock.now())
    return notifiesOfInvitation(choices(), { authorMuted: false, accountMuted: false, watching: false, local })
  }

  #notify(state: Exclude<JoinState, 'waiting'>, { workspace, owner }: PendingJoin, ref: AccountRef | undefined): void {
    const { delivery, translate, choices } = this.#options.arrivals()
    const chosen = choices()
    const isHidden = shownOf(chosen) === 'nothing'
    const content = {
      tag: TAG,
      title: isHidden
        ? translate('notifications', 'system.answered')
        : translate('notifications', `system.join.${state}.title`, { workspace }),
      body: isHidden
        ? translate('notifications', 'system.answeredHidden')
        : translate('notifications', `system.join.${state}.body`, { workspace, owner }),
      silent: isSilent(chosen),
      sound: chosen.sounds.meant,
    }
    const account = state === 'joined' && ref ? this.#options.accountOf(ref) : undefined
    if (account) delivery.notify(account, { ...content, opens: { type: 'command', action: 'browse' } })
    // The page of invitations knows the request, and says what became of it.
    else this.#options.notifyDevice({ ...content, opens: { route: 'join', text: '' } })
  }
}
