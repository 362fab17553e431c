import type { Announcement, DiscoveryCapability, Heard } from '#main/hosts/host.ts'

/** A network on which devices announce what they share, without sockets. */
export class Air implements DiscoveryCapability {
  readonly announced = new Set<Announcement>()
  /** The system refuses what is started from now on. */
  isRefused = false
  readonly #listeners = new Set<(heard: Heard) => void>()

  /** How many listen now. */
  get listening(): number {
    return this.#listeners.size
  }

  announce(said: Announcement, onFailed: () => void): () => void {
    if (this.isRefused) {
      onFailed()
      return () => undefined
    }
    this.announced.add(said)
    const from = said.addresses[0] ?? ''
    this.say({ from, said, gone: false })
    return () => {
      if (this.announced.delete(said)) this.say({ from, said, gone: true })
    }
  }

  listen(_addresses: readonly string[], onHeard: (heard: Heard) => void, onFailed: () => void): () => void {
    if (this.isRefused) onFailed()
    this.#listeners.add(onHeard)
    for (const said of this.announced) onHeard({ from: said.addresses[0] ?? '', said, gone: false })
    return () => this.#listeners.delete(onHeard)
  }

  /** What somebody says who may mean no good. */
  say(heard: Heard): void {
    for (const listener of this.#listeners) listener(heard)
  }
}
