import type { Digest } from '#shared/domain/notification.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import { lastDigestTime, isQuiet } from '#shared/rules/notifications/notifying.ts'
import type { Stop } from '#main/lib/clock.ts'
import { type Account, sessionOf } from '../accounts/account.ts'
import type { ArrivalsOptions } from './arrivals.ts'
import { FROM_SYSTEM, isSilent, localTime, shownOf, type NotificationContent } from './delivery.ts'

/** Clocks can be changed and devices sleep: what became due meanwhile is sent with the next check. */
const CHECK_EVERY_MS = 60_000

type Options = Pick<ArrivalsOptions, 'choices' | 'clock' | 'delivery' | 'muted' | 'translate'>

/** The digests of one open account. */
type Open = {
  readonly account: Account
  /** Notifications that the system may still show, by their tags. */
  readonly shown: Set<string>
  /** Stops the next check. */
  next: Stop
}

/**
 * One notification a day for each channel with a digest: how much is unread and how much of it matters. It opens what
 * matters in that channel since the digest before. During quiet hours it waits for their end.
 */
export class DigestNotifier {
  readonly #options: Options
  /** By account. */
  readonly #open = new Map<string, Open>()

  constructor(options: Options) {
    this.#options = options
  }

  opened(account: Account): void {
    const open: Open = { account, shown: new Set(), next: () => {} }
    let isRunning = false
    const check = (): void => {
      wait()
      if (isRunning) return
      isRunning = true
      void this.#check(open).finally(() => {
        isRunning = false
      })
    }
    const wait = (): void => void (open.next = this.#options.clock.after(CHECK_EVERY_MS, check))
    this.#open.set(account.key, open)
    wait()
  }

  closing({ key }: Account): void {
    this.#open.get(key)?.next()
    this.#open.delete(key)
  }

  /** The system no longer shows any earlier digest. */
  hide(): void {
    for (const { account, shown } of this.#open.values()) {
      for (const tag of shown) this.#options.delivery.withdraw(account, tag)
      shown.clear()
    }
  }

  #isOpen = (open: Open): boolean => this.#open.get(open.account.key) === open

  async #check(open: Open): Promise<void> {
    const { account } = open
    const { choices, clock, muted } = this.#options
    const key = sidebarKey(sessionOf(account.ref, account.baseUrl()))
    const digests = Object.entries(choices().digests[key] ?? {})
    account.engine.keepDigests(digests.map(([cid]) => cid))
    for (const [id, digest] of digests) {
      if (!this.#isOpen(open)) return
      const cid = asCid(id)
      const last = account.engine.digestedAt(cid)
      const now = clock.now()
      // Begins now; also after the clock was ahead for a while.
      if (last === undefined || last > now) account.engine.digested(cid, now)
      else if (this.#isDue(digest, last, now) && !muted(account)) await this.#send(open, cid, { last, now })
    }
  }

  #isDue(digest: Digest, last: number, now: number): boolean {
    return last < lastDigestTime(digest, now) && !isQuiet(this.#options.choices(), localTime(now))
  }

  /** One that cannot be gathered now is due again with the next check. */
  async #send(open: Open, cid: Cid, { last, now }: { readonly last: number; readonly now: number }): Promise<void> {
    const { engine } = open.account
    const content = await this.#contentOf(open.account, cid, last).catch(() => 'failed' as const)
    if (content === 'failed' || !this.#isOpen(open)) return
    engine.digested(cid, now)
    if (content === undefined) return
    this.#options.delivery.notify(open.account, content)
    open.shown.add(content.tag)
    engine.countInterruption(cid)
  }

  async #contentOf(account: Account, cid: Cid, since: number): Promise<NotificationContent | undefined> {
    const { choices, translate } = this.#options
    const { engine, key } = account
    const chosen = choices()
    const place = engine.digestPlace(cid)
    if (place === undefined || place.muted) return undefined
    const question = { since, unread: true, cid, keywords: [...chosen.keywords], barsFrom: since, barCount: 1 }
    const { items } = await engine.handlers.channels.catchUp(question, FROM_SYSTEM)
    if (items.length + place.unread === 0) return undefined
    const text = (name: string, params?: Record<string, string | number>): string =>
      translate('notifications', `system.digest.${name}`, params)
    const isHidden = shownOf(chosen) === 'nothing' || place.name === ''
    const unread = text('body', { count: place.unread })
    return {
      tag: `${key} digest ${cid}`,
      title: isHidden ? text('hidden') : text('title', { place: place.name }),
      body: items.length === 0 ? unread : text('matter', { text: unread, count: items.length }),
      opens: { type: 'catch-up', cid, since },
      silent: isSilent(chosen),
      sound: chosen.sounds.message,
    }
  }
}
