import { AppError } from '#shared/lib/app-error.ts'
import type { Bridge } from '#shared/bridge/transport.ts'
import type { EngineClient } from '#shared/bridge/index.ts'

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
export async function callBridge(bridge: Bridge, name: string, input: unknown): Promise<unknown> {
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
