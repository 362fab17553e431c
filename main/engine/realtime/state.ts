import type { Connection } from '#shared/domain/session.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { TransportConnection } from './transport.ts'

/**
 * ```
 *            start                     first health check
 *   idle ───────────▶ dialing ─────────────────────────────▶ healthy ◀─┐
 *    ▲                 ▲  │  │                                │  │     │ a frame after all
 *    │ stop            │  │  │ error frame that no            │  └─ doubted (the device went offline)
 *    │ (from all)      │  │  │ try will mend       lost, 35 s │        │
 *                      │  │  └─────────▶ blocked   of silence,│        │ online, resumed: after 10 ms
 *         timer, online│  │ lost, 15 s      │      token spent│        │
 *         resumed, now │  ▼                 │                 ▼        ▼
 *                      └─ waiting ◀─────────┼─────────────────┴────────┘
 *                      ▲                    │ reconnectNow
 *                      └────────────────────┘
 * ```
 * An expired token is renewed while dialing, or between healthy and dialing, without waiting the first time.
 */
export type State =
  | { readonly at: 'idle' }
  | {
      readonly at: 'dialing'
      readonly since: number
      readonly connection: TransportConnection | undefined
      readonly token: string | undefined
    }
  | {
      readonly at: 'healthy'
      readonly connection: TransportConnection
      readonly token: string
      readonly doubted: boolean
    }
  | { readonly at: 'waiting'; readonly nextTryAt: number }
  | { readonly at: 'blocked'; readonly code: string }

type Around = Pick<Connection, 'offline' | 'transport'> & {
  readonly lostAt: number | undefined
  readonly trouble: string | undefined
}

/** The state as the rest of the program sees it. */
export function connectionOf(state: State, { offline, transport, lostAt, trouble }: Around): Connection {
  const healthy = state.at === 'healthy' && !state.doubted
  const connecting = state.at === 'dialing' || state.at === 'idle'
  return {
    state: healthy ? 'healthy' : connecting ? 'connecting' : 'unhealthy',
    offline,
    transport,
    serverRestarting: false,
    nextTryAt: state.at === 'waiting' ? state.nextTryAt : undefined,
    blocked: state.at === 'blocked' ? state.code : undefined,
    lostAt,
    trouble: trouble === undefined || healthy ? undefined : trouble,
  }
}

/** One timer per purpose: setting it again replaces it, and all can be cleared at once. */
export class Timers<Name extends string> {
  readonly #clock: Clock
  readonly #running = new Map<Name, Stop>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  set(name: Name, ms: number, fn: () => void): void {
    this.clear(name)
    const stop = this.#clock.after(ms, () => {
      this.#running.delete(name)
      fn()
    })
    this.#running.set(name, stop)
  }

  has(name: Name): boolean {
    return this.#running.has(name)
  }

  clear(name: Name): void {
    this.#running.get(name)?.()
    this.#running.delete(name)
  }

  clearAll(): void {
    for (const stop of this.#running.values()) stop()
    this.#running.clear()
  }
}
