import type { JoinState, PendingJoin } from '#shared/domain/sharing.ts'
import { notifiesOfInvitation } from '#shared/rules/notifications/notifying.ts'
import type { Stop } from '#main/lib/clock.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { Account } from '../accounts/account.ts'
import type { ArrivalsOptions } from './arrivals.ts'
import { type DeviceNotification, isSilent, localTime, shownOf } from './delivery.ts'

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
