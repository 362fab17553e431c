import type { Digest } from '#shared/domain/notification.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import { lastDigestTime } from '#shared/rules/notifications/choices.ts'
import { isQuiet } from '#shared/rules/notifications/notifying.ts'
import type { Stop } from '#main/lib/clock.ts'
import { type Account, sessionOf } from '../accounts/account.ts'
import type { ArrivalsOptions } from './arrivals.ts'
import { FROM_SYSTEM, isSilent, localTime, shownOf } from './delivery.ts'

/** Clocks can be changed and devices sleep: what became due meanwhile is sent with the next check. */
const CHECK_EVERY_MS = 60_000

type Options = Pick<ArrivalsOptions, 'choices' | 'clock' | 'delivery' | 'muted' | 'translate'>

/**
 * One notification a day for each channel with a digest: how much is unread and how much of it matters. It opens what
 * matters in that channel since the digest before. During quiet hours it waits for their end.
 */
export class DigestNotifier {
  readonly #options: Options
  /** Stops the next check, by account. */
  readonly #next = new Map<string, Stop>()

  constructor(options: Options) {
    this.#options = options
  }

  opened(account: Account): void {
    let isRunning = false
    const check = (): void => {
      wait()
      if (isRunning) return
      isRunning = true
      void this.#check(account).finally(() => {
        isRunning = false
      })
    }
    const wait = (): void => void this.#next.set(account.key, this.#options.clock.after(CHECK_EVERY_MS, check))
    wait()
  }

  closing({ key }: Account): void {
    this.#next.get(key)?.()
    this.#next.delete(key)
  }

  async #check(account: Account): Promise<void> {
    const { choices, clock, muted } = this.#options
    const key = sidebarKey(sessionOf(account.ref, account.baseUrl()))
    const digests = Object.entries(choices().digests[key] ?? {})
    const cids = digests.map(([cid]) => cid)
    for (const [id, digest] of digests) {
      const cid = asCid(id)
      const last = account.engine.digestedAt(cid)
      const now = clock.now()
      if (last === undefined) account.engine.digested(cid, now, cids)
      else if (this.#isDue(digest, last, now) && !muted(account)) {
        account.engine.digested(cid, now, cids)
        await this.#send(account, cid, last)
      }
    }
  }

  #isDue(digest: Digest, last: number, now: number): boolean {
    return last < lastDigestTime(digest, now) && !isQuiet(this.#options.choices(), localTime(now))
  }

  async #send(account: Account, cid: Cid, since: number): Promise<void> {
    const { choices, delivery, translate } = this.#options
    const { engine } = account
    const chosen = choices()
    const place = engine.digestPlace(cid)
    if (place === undefined || place.muted) return
    const question = { since, unread: true, cid, keywords: [...chosen.keywords], barsFrom: since, barCount: 1 }
    const { items } = await engine.handlers.channels.catchUp(question, FROM_SYSTEM)
    if (items.length + place.unread === 0) return
    const text = (key: string, params?: Record<string, string | number>): string =>
      translate('notifications', `system.digest.${key}`, params)
    const isHidden = shownOf(chosen) === 'nothing' || place.name === ''
    const unread = text('body', { count: place.unread })
    engine.countInterruption(cid)
    delivery.notify(account, {
      tag: `${account.key} digest ${cid}`,
      title: isHidden ? text('hidden') : text('title', { place: place.name }),
      body: items.length === 0 ? unread : text('matter', { text: unread, count: items.length }),
      opens: { type: 'catch-up', cid, since },
      silent: isSilent(chosen),
      sound: chosen.sounds.message,
    })
  }
}
