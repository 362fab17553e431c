import * as v from 'valibot'
import { urlAt } from '#shared/rules/server/network-address.ts'
import { JOIN_PATHS } from '#shared/wire/sharing.ts'
import { isSame } from '#shared/lib/same.ts'
import type { Host } from '#main/hosts/host.ts'
import type { Stop } from '#main/lib/clock.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import { readNote, signedNoteSchema, type MovedNote, announcementProof } from '#main/server/sharing/moved-note.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { cameFromSchema } from '#main/server/store/moving/container.ts'
import { type Account, trusting } from './account.ts'
import { cameSecret } from '../local-workspace/local-workspace.ts'

type HostedRef = Extract<AccountRef, { kind: 'hosted' }>

/** How long a joined workspace must be out of reach before its device is asked where it is, and how often then. */
const FIRST_MS = 3_000
const EVERY_MS = 60_000
const TIMEOUT_MS = 10_000
/** How many devices are asked one after the other, each of which says that the workspace has moved on. */
const MOST_HOPS = 8

type FollowingOptions = {
  readonly host: Pick<Host, 'ports' | 'network' | 'log'>
  /** Whether the server of a joined account accepts it. */
  readonly isAccepted: (ref: HostedRef) => Promise<boolean>
  /** The account has another address from now on. */
  readonly moveTo: (ref: HostedRef) => Promise<void>
}

/**
 * Follows workspaces that were joined by invitation when they move to another device. The device that the account trusts
 * is asked, and only what it signed counts; nothing changes before the new one accepts the account.
 */
export class Following {
  readonly #options: FollowingOptions
  readonly #log: Logger
  readonly #waits = new Map<string, Stop>()
  readonly #asking = new Set<string>()

  constructor(options: FollowingOptions) {
    this.#options = options
    this.#log = logger('following', options.host.log)
  }

  /** Called after each commit of an account. */
  look({ ref, key, engine }: Account): void {
    if (ref.kind !== 'hosted' || ref.certificate === undefined) return
    if (engine.connection().state === 'healthy') return this.#forget(key)
    if (this.#waits.has(key) || this.#asking.has(key)) return
    this.#wait(ref, key, FIRST_MS)
  }

  closing({ key }: Account): void {
    this.#forget(key)
    // What is being asked has no effect anymore.
    this.#asking.delete(key)
  }

  #forget(key: string): void {
    this.#waits.get(key)?.()
    this.#waits.delete(key)
  }

  #wait(ref: HostedRef, key: string, ms: number): void {
    const ask = async (): Promise<void> => {
      this.#waits.delete(key)
      this.#asking.add(key)
      const followed = await this.follow(ref, () => this.#asking.has(key)).catch((error: unknown) => {
        this.#log.warn('not-followed', { error: error instanceof Error ? error.name : 'unknown' })
        return false
      })
      if (!this.#asking.delete(key)) return
      if (!followed) this.#wait(ref, key, EVERY_MS)
    }
    this.#waits.set(
      key,
      this.#options.host.ports.clock.after(ms, () => void ask()),
    )
  }

  /** Asks once. Resolves with whether the account has moved; one that was closed meanwhile stays as it is. */
  async follow(ref: HostedRef, isOpen = (): boolean => true): Promise<boolean> {
    const note = await this.#ask(ref)
    const found = note && (await this.#find(ref, note))
    if (!found || !isOpen()) return false
    this.#log.info('followed', {})
    await this.#options.moveTo(found)
    return true
  }

  /** What the device says that this account trusts; nothing from any other one. */
  async #ask(ref: HostedRef): Promise<MovedNote | undefined> {
    const certificate = trustedBy(ref)
    if (certificate === undefined) return undefined
    const { http } = trusting(ref, this.#options.host).ports
    try {
      const { status, text } = await http.request({
        method: 'POST',
        url: new URL(ref.url).origin + JOIN_PATHS.where,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: '{}',
        timeoutMs: TIMEOUT_MS,
      })
      const signed = v.safeParse(signedNoteSchema, status === 200 ? JSON.parse(text) : undefined)
      return signed.success ? readNote(signed.output, certificate) : undefined
    } catch {
      // Off, on another network, or another device at its address.
      return undefined
    }
  }

  /**
   * The first address where the new certificate answers and the account is accepted. If it answers and does not accept the
   * account, the workspace may have moved on: that device is trusted by the one before it, so it is asked in turn.
   */
  async #find(ref: HostedRef, note: MovedNote, hops = MOST_HOPS): Promise<HostedRef | undefined> {
    const { network } = this.#options.host
    const { addresses, port, certificate } = note
    let between: HostedRef | undefined
    for (const address of addresses) {
      const shown = await network.certificateAt(address, port).catch(() => undefined)
      if (shown !== certificate) continue
      const moved = { ...ref, url: urlAt({ address, port }), trusts: certificate }
      if (await this.#options.isAccepted(moved)) return moved
      between ??= moved
    }
    const next = between && hops > 1 ? await this.#ask(between) : undefined
    return next && this.#find(ref, next, hops - 1)
  }
}

/** The certificate that the device of a joined workspace must show. */
export const trustedBy = (ref: HostedRef): string | undefined => ref.trusts ?? ref.certificate

/** How often the device that a workspace came from is looked for, and for how long. */
const TELL_AGAIN_MS = 5 * 60_000
const GIVE_UP_MS = 30 * 86_400_000

const cameSchema = v.object({
  ...cameFromSchema.entries,
  since: v.number(),
  /** What that device knows. */
  told: v.optional(v.object({ addresses: v.array(v.string()), port: v.number(), certificate: v.string() })),
})
type Came = v.InferOutput<typeof cameSchema>

/**
 * Tells the device that a workspace came from where it is now, so that people can follow. That device may be off: it is
 * asked again for a month, as long as the workspace is shared.
 */
export class Announcing {
  readonly #host: Pick<Host, 'ports' | 'secrets'>
  readonly #timers = new Map<string, Stop>()
  /** Where each workspace is reached as far as is known: an older announcement that is on its way has no effect. */
  readonly #latest = new Map<string, MovedNote>()

  constructor(host: Pick<Host, 'ports' | 'secrets'>) {
    this.#host = host
  }

  /** The workspace is reached there from now on. */
  async announce(place: string, now: MovedNote): Promise<void> {
    this.forget(place)
    this.#latest.set(place, now)
    const came = await this.#came(place)
    if (!came || this.#latest.get(place) !== now || isSame(came.told, now)) return
    const { clock } = this.#host.ports
    if (clock.now() - came.since > GIVE_UP_MS) return this.#host.secrets.remove(cameSecret(place))
    const isTold = await this.#tell(came, now)
    if (this.#latest.get(place) !== now) return
    if (isTold) {
      await this.#host.secrets.set(cameSecret(place), JSON.stringify({ ...came, told: now }))
    } else {
      this.#timers.set(
        place,
        clock.after(TELL_AGAIN_MS, () => void this.announce(place, now)),
      )
    }
  }

  /** The workspace is not reached from the network anymore. */
  forget(place: string): void {
    this.#timers.get(place)?.()
    this.#timers.delete(place)
    this.#latest.delete(place)
  }

  stop(): void {
    for (const place of this.#latest.keys()) this.forget(place)
  }

  async #came(place: string): Promise<Came | undefined> {
    const text = await this.#host.secrets.get(cameSecret(place))
    const parsed = v.safeParse(cameSchema, text === undefined ? undefined : JSON.parse(text))
    return parsed.success ? parsed.output : undefined
  }

  async #tell({ addresses, port, certificate, secret }: Came, now: MovedNote): Promise<boolean> {
    const note = JSON.stringify(now)
    const body = JSON.stringify({ note, proof: announcementProof(secret, note) })
    const tries = addresses.map(async (address) => {
      const { status } = await this.#host.ports.http.request({
        method: 'POST',
        url: urlAt({ address, port }) + JOIN_PATHS.moved,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body,
        timeoutMs: TIMEOUT_MS,
        certificate,
      })
      return status === 200
    })
    const results = await Promise.allSettled(tries)
    return results.some((result) => result.status === 'fulfilled' && result.value)
  }
}
