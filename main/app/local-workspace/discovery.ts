import * as v from 'valibot'
import { isAddress, isAddress4 } from '#shared/rules/server/network-address.ts'
import { isSame } from '#shared/lib/same.ts'
import type { Announcement, Heard, Host } from '#main/hosts/host.ts'
import type { Stop } from '#main/lib/clock.ts'
import { shownName } from '../accounts/joining.ts'

/** Who asks for what is nearby is told for so long; then nothing listens anymore. */
const LISTENS_MS = 10_000
/** For so long an announcement counts that is not heard again. */
const LASTS_MS = 150_000
/** More cannot be looked through, and one device does not share more. */
const MOST_FOUND = 40
const MOST_OF_ONE_DEVICE = 4
const MOST_ADDRESSES = 4

/** Anyone on the network says what they like. */
const saidSchema = v.object({
  name: shownName,
  owner: shownName,
  addresses: v.pipe(
    v.array(v.pipe(v.string(), v.check(isAddress))),
    v.minLength(1),
    v.transform((all) => [...new Set(all)].slice(0, MOST_ADDRESSES)),
  ),
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  fingerprint: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
})

type Found = Announcement & { readonly from: string; readonly until: number }
type Shown = { readonly announcement: Announcement; stop: Stop; isFailed: boolean }

type DiscoveryOptions = {
  readonly host: Pick<Host, 'network' | 'ports'>
  /** An announcement could not be made. */
  readonly onFailed: () => void
}

/**
 * Shared workspaces on the network: announces those of this device whose owners want it, and finds those of others while
 * somebody looks. What is found is a hint where to ask; only an invitation shows what it is. See ADR 53.
 */
export class Discovery {
  readonly #options: DiscoveryOptions
  readonly #shown = new Map<string, Shown>()
  /** By fingerprint. */
  readonly #found = new Map<string, Found>()
  #isCut = false
  #isFailed = false
  #stopListening: Stop | undefined
  #stopTimer: Stop | undefined

  constructor(options: DiscoveryOptions) {
    this.#options = options
  }

  /** Announces the workspace of this place until it is hidden; what was announced before is withdrawn. */
  show(place: string, announcement: Announcement): void {
    const before = this.#shown.get(place)
    if (before && !before.isFailed && isSame(before.announcement, announcement)) return
    this.hide(place)
    const shown: Shown = { announcement, isFailed: false, stop: () => undefined }
    this.#shown.set(place, shown)
    const addresses = announcement.addresses.filter(isAddress4)
    shown.isFailed = addresses.length === 0
    if (shown.isFailed) return
    shown.stop = this.#options.host.network.discovery.announce({ ...announcement, addresses }, () => {
      shown.isFailed = true
      this.#options.onFailed()
    })
  }

  hide(place: string): void {
    this.#shown.get(place)?.stop()
    this.#shown.delete(place)
  }

  /** Whether the system does not let it be announced. */
  isFailed(place: string): boolean {
    return this.#shown.get(place)?.isFailed ?? false
  }

  /** Listens from now on for a while, and returns what was heard so far. */
  look(): { readonly found: readonly Found[]; readonly isCut: boolean; readonly isFailed: boolean } {
    const { network, ports } = this.#options.host
    this.#stopTimer?.()
    this.#stopTimer = ports.clock.after(LISTENS_MS, () => this.#endListening())
    if (!this.#stopListening) {
      const addresses = network.ownAddresses().filter(isAddress4)
      this.#isFailed = addresses.length === 0
      this.#stopListening = network.discovery.listen(
        addresses,
        (heard) => this.#take(heard),
        () => (this.#isFailed = true),
      )
    }
    this.#forgetOld()
    return { found: [...this.#found.values()], isCut: this.#isCut, isFailed: this.#isFailed }
  }

  /** Where a device says that it has this certificate; whoever connects checks it. */
  at(fingerprint: string): Pick<Announcement, 'addresses' | 'port'> | undefined {
    this.#forgetOld()
    return this.#found.get(fingerprint)
  }

  stop(): void {
    for (const place of this.#shown.keys()) this.hide(place)
    this.#endListening()
  }

  #endListening(): void {
    this.#stopTimer?.()
    this.#stopListening?.()
    this.#stopListening = undefined
  }

  #take({ from, said, gone }: Heard): void {
    const parsed = v.safeParse(saidSchema, said)
    if (!parsed.success) return
    const { fingerprint } = parsed.output
    const known = this.#found.get(fingerprint)
    // Others cannot withdraw or change what a device announced.
    if (known && known.from !== from && known.until > this.#now()) return
    if (gone) return void this.#found.delete(fingerprint)
    const isOwn = [...this.#shown.values()].some(({ announcement }) => announcement.fingerprint === fingerprint)
    if (isOwn || (!known && !this.#hasRoom(from))) return
    this.#found.set(fingerprint, { ...parsed.output, from, until: this.#now() + LASTS_MS })
  }

  #hasRoom(from: string): boolean {
    this.#forgetOld()
    const ofOne = [...this.#found.values()].filter((each) => each.from === from).length
    const hasRoom = ofOne < MOST_OF_ONE_DEVICE && this.#found.size < MOST_FOUND
    if (!hasRoom) this.#isCut = true
    return hasRoom
  }

  #forgetOld(): void {
    for (const [fingerprint, { until }] of this.#found) if (until <= this.#now()) this.#found.delete(fingerprint)
    if (this.#found.size === 0) this.#isCut = false
  }

  #now(): number {
    return this.#options.host.ports.clock.monotonic()
  }
}
