import type { Store, Stores } from '#main/cache/files/open.ts'
import type { HttpResponse, HttpRequest } from '#main/engine/ports.ts'
import type { Watch } from '#kit/sim/person.ts'

const STORES = ['outbox', 'cache'] as const
const MOMENTS_OF_WRITING = ['before it', 'before its COMMIT', 'after its COMMIT'] as const
const MOMENTS_OF_CALLING = ['before it leaves', 'after the server acted', 'before its answer is read'] as const

/** Requests by their purpose. */
const CALLS = {
  send: /^POST .*\/message$/,
  edit: /^POST \/messages\/[^/]+$/,
  delete: /^DELETE \/messages\/[^/]+$/,
  react: /^POST \/messages\/[^/]+\/reaction$/,
  unreact: /^DELETE \/messages\/[^/]+\/reaction/,
  read: /^POST .*\/read$/,
  'open a channel': /^POST \/channels\/[^/]+\/[^/]+\/query$/,
  'list channels': /^POST \/channels$/,
  synchronise: /^POST \/sync$/,
} as const

/** Where a client process is killed: each point by its name, once for each of its first times. */
export const CRASH_POINTS: readonly string[] = [
  ...STORES.flatMap((store) => MOMENTS_OF_WRITING.map((moment) => `write to the ${store}: ${moment}`)),
  ...Object.keys(CALLS).flatMap((call) => MOMENTS_OF_CALLING.map((moment) => `${call}: ${moment}`)),
]

/** The process has ended: what follows this line never ran. */
export class Killed extends Error {}

/** Watches a process, and ends it the nth time it reaches `point`. */
export class Killer implements Watch {
  reached = 0
  readonly #point: string
  readonly #nth: number
  readonly #kill: () => void
  isArmed = false

  constructor(point: string, nth: number, kill: () => void) {
    this.#point = point
    this.#nth = nth
    this.#kill = kill
  }

  stores(stores: Stores): Stores {
    return { ...stores, outbox: this.#store('outbox', stores.outbox), cache: this.#store('cache', stores.cache) }
  }

  async request(request: HttpRequest, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const what = `${request.method} ${new URL(request.url).pathname}`
    const call = Object.entries(CALLS).find(([, pattern]) => pattern.test(what))?.[0] ?? 'other'
    this.#at(`${call}: before it leaves`)
    const [sent, answer] = [send(), Promise.withResolvers<undefined>()]
    sent.finally(() => answer.resolve(undefined)).catch(() => undefined)
    const reply = await sent
    this.#at(`${call}: after the server acted`)
    await Promise.resolve()
    this.#at(`${call}: before its answer is read`)
    return reply
  }

  #store(name: (typeof STORES)[number], store: Store): Store {
    let isInside = false
    return {
      ...store,
      transaction: (work) => {
        if (isInside) return store.transaction(work)
        this.#at(`write to the ${name}: before it`)
        isInside = true
        try {
          const result = store.transaction((tx) => {
            const done = work(tx)
            this.#at(`write to the ${name}: before its COMMIT`)
            return done
          })
          this.#at(`write to the ${name}: after its COMMIT`)
          return result
        } finally {
          isInside = false
        }
      },
    }
  }

  #at(point: string): void {
    if (!this.isArmed || point !== this.#point) return
    this.reached += 1
    if (this.reached !== this.#nth) return
    this.#kill()
    throw new Killed(point)
  }
}
