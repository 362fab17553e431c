import type { Push } from '#shared/domain/changes.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { Bridge } from '#shared/bridge/transport.ts'
import { callBridge } from './client.ts'
import { connectWebSocket, openSocket } from './ws.ts'

export type Snapshot = Awaited<ReturnType<EngineClient['app']['attach']>>

/**
 * Asks main for the snapshot before the script of the app is there, and holds what main pushes until the app takes over.
 */
export class FirstAttach {
  readonly snapshot: Promise<Snapshot>
  readonly #held: Push[] = []
  #isForgotten = false
  readonly #stop: () => void

  constructor(bridge: Bridge) {
    const stopPushes = bridge.subscribe((push) => this.#held.push(push))
    const stopReset = bridge.onReset?.(() => (this.#isForgotten = true))
    this.#stop = () => {
      stopPushes()
      stopReset?.()
    }
    this.snapshot = callBridge(bridge, 'app.attach', {}) as Promise<Snapshot>
    // It is awaited later; until then a rejection must not count as unhandled.
    this.snapshot.catch(() => undefined)
  }

  /** What was pushed so far, in order; `undefined` when main has forgotten this window, and with it the snapshot. */
  takeOver(): readonly Push[] | undefined {
    this.#stop()
    return this.#isForgotten ? undefined : this.#held.splice(0)
  }
}

declare global {
  interface Window {
    /** Exposed by the preload in Electron, before any script of the page. */
    readonly parlor?: Bridge
  }
}

/**
 * Connects to main. In Electron the preload has already created the bridge; in the browser host it is a WebSocket to the
 * origin of the page. Rejects with an `AppError` (`bridge/code`, `bridge/session`, `bridge/locked`, `bridge/lost`) when
 * main refuses this page: the page then shows how to open a new one.
 */
export function connect(): Promise<Bridge> {
  return window.parlor ? Promise.resolve(window.parlor) : connectWebSocket(pageEnvironment())
}

function pageEnvironment(): Parameters<typeof connectWebSocket>[0] {
  return {
    open: openSocket,
    url: `ws://127.0.0.1:${location.port}/bridge`,
    takeCode: takeCodeFromAddress,
    session: {
      read: () => sessionStorage.getItem(SESSION_KEY) ?? undefined,
      write: (token) => sessionStorage.setItem(SESSION_KEY, token),
    },
    after: (ms, fn) => {
      const timer = setTimeout(fn, ms)
      return () => clearTimeout(timer)
    },
    reload: () => location.reload(),
  }
}

const SESSION_KEY = 'parlor.session'

/** Removes the code from the address at once, so that it is not in the history, a bookmark or a screenshot. */
function takeCodeFromAddress(): string | undefined {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1]
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return code
}
