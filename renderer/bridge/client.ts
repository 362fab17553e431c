import { AppError } from '#shared/lib/app-error.ts'
import type { Bridge } from '#shared/bridge/transport.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { Push } from '#shared/domain/changes.ts'
import { connectWebSocket, openSocket } from './ws.ts'

/**
 * A typed client over the bridge's `call`: `engine.messages.send(input)` calls `messages.send`. Types come from the
 * contract, so no schema code is bundled into the renderer. Rejects only with an {@link AppError}.
 */
export function createEngineClient(bridge: Bridge): EngineClient {
  const areas = new Map<string, object>()
  return new Proxy({} as EngineClient, {
    get(_target, area) {
      if (typeof area !== 'string') return undefined
      const known = areas.get(area)
      if (known !== undefined) return known
      const made = areaClient(bridge, area)
      areas.set(area, made)
      return made
    },
  })
}

type AnyCall = (input?: unknown) => Promise<unknown>

function areaClient(bridge: Bridge, area: string): object {
  const calls = new Map<string, AnyCall>()
  return new Proxy(
    {},
    {
      get(_target, name) {
        // `then` must stay absent: a proxy that looks like a promise breaks await.
        if (typeof name !== 'string' || name === 'then') return undefined
        const known = calls.get(name)
        if (known !== undefined) return known
        const made: AnyCall = (input) => callBridge(bridge, `${area}.${name}`, input)
        calls.set(name, made)
        return made
      },
    },
  )
}

/** One call by name. Rejects only with an {@link AppError}. */
async function callBridge(bridge: Bridge, name: string, input: unknown): Promise<unknown> {
  const reply = await bridge.call(name, input).catch((error: unknown) => {
    throw new AppError('bridge/lost', { cause: error })
  })
  if (reply.ok) return reply.value
  const { code, params, detail } = reply.error
  throw new AppError(code, {
    params: params ? { ...params } : undefined,
    detail,
  })
}

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
