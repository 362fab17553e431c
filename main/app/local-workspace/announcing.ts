import * as v from 'valibot'
import { isSame } from '#shared/lib/same.ts'
import { urlAt } from '#shared/rules/server/network-address.ts'
import { JOIN_PATHS } from '#shared/wire/sharing.ts'
import type { Host } from '#main/hosts/host.ts'
import type { Stop } from '#main/lib/clock.ts'
import { announcementProof, type MovedNote } from '#main/server/sharing/moved-note.ts'
import { cameFromSchema } from '#main/server/store/moving/container.ts'
import { cameSecret } from './local-workspace.ts'

/** How often the device that a workspace came from is looked for, and for how long. */
const EVERY_MS = 5 * 60_000
const GIVE_UP_MS = 30 * 86_400_000
const TIMEOUT_MS = 10_000

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
        clock.after(EVERY_MS, () => void this.announce(place, now)),
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
