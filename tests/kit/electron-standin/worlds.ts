/**
 * What runs inside the page, as text: the page's side of `contextBridge` in the main world, and the preload with its
 * `electron` in a world of its own. The worlds share only the document, so they talk in synchronous events with strings.
 */

/** Crosses the border by value: plain data, functions and promises by number. Everything else is an error, as a strict reading of Electron's rules. */
function codec(side: string, other: string) {
  const references = new Map<number, unknown>()
  let lastId = 0
  const addReference = (value: unknown): number => {
    lastId += 1
    references.set(lastId, value)
    return lastId
  }
  const emit = (name: string, detail: unknown): void => {
    document.dispatchEvent(new CustomEvent(`standin-${other}-${name}`, { detail: JSON.stringify(detail) }))
  }
  const hear = (name: string, fn: (detail: never) => void): void => {
    document.addEventListener(`standin-${side}-${name}`, (event) =>
      fn(JSON.parse((event as CustomEvent<string>).detail) as never),
    )
  }
  const encode = (value: unknown, path = 'value'): unknown => {
    if (value === undefined) return ['undefined']
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
      return ['plain', value]
    if (typeof value === 'function') return ['function', addReference(value)]
    if (value instanceof Promise) {
      const id = addReference(value)
      value.then(
        (result) => emit('settle', { id, ok: encode(result) }),
        (error: unknown) => emit('settle', { id, error: String(error) }),
      )
      return ['promise', id]
    }
    if (Array.isArray(value)) return ['array', value.map((item, index) => encode(item, `${path}[${index}]`))]
    const prototype: unknown = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined
    if (prototype !== Object.prototype && prototype !== null)
      throw new Error(`contextBridge: ${path} is not plain data`)
    return ['object', Object.entries(value).map(([key, item]) => [key, encode(item, `${path}.${key}`)])]
  }
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let returned: unknown
  const decode = ([kind, data]: [string, never]): unknown => {
    switch (kind) {
      case 'undefined':
        return undefined
      case 'plain':
        return data
      case 'function':
        return (...args: unknown[]) => {
          returned = undefined
          emit('call', { id: data, args: args.map((item) => encode(item)) })
          const answer = returned as { ok?: [string, never]; error?: string } | undefined
          if (answer?.error !== undefined) throw new Error(answer.error)
          return answer?.ok ? decode(answer.ok) : undefined
        }
      case 'promise':
        return new Promise((resolve, reject) => pending.set(data, { resolve, reject }))
      case 'array':
        return (data as [string, never][]).map(decode)
      default:
        return Object.freeze(
          Object.fromEntries((data as [string, [string, never]][]).map(([key, item]) => [key, decode(item)])),
        )
    }
  }
  hear('settle', ({ id, ok, error }: { id: number; ok?: [string, never]; error?: string }) => {
    const waiting = pending.get(id)
    pending.delete(id)
    if (ok) waiting?.resolve(decode(ok))
    else waiting?.reject(new Error(error))
  })
  hear('call', ({ id, args }: { id: number; args: [string, never][] }) => {
    try {
      const result = (references.get(id) as (...args: unknown[]) => unknown)(...args.map(decode))
      emit('return', { ok: encode(result) })
    } catch (error) {
      emit('return', { error: String(error) })
    }
  })
  hear('return', (answer: unknown) => void (returned = answer))
  return { encode, decode, emit, hear }
}

function mainWorld(make: typeof codec): void {
  const { decode, hear } = make('page', 'preload')
  hear('expose', ({ key, value }: { key: string; value: [string, never] }) => {
    Object.defineProperty(window, key, { value: decode(value), enumerable: true })
  })
}

type Shared = { send(text: string): void; argv: string[]; platform: string }

function preloadWorld(
  make: typeof codec,
  shared: Shared,
  run: (require: unknown, process: unknown, module: unknown, exports: unknown) => void,
): void {
  const { encode, emit } = make('preload', 'page')
  const listeners = new Map<string, Set<(event: object, ...args: unknown[]) => void>>()
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let lastId = 0
  const plain = (value: unknown): unknown => {
    // The same check as the bridge; functions may not travel by IPC at all.
    if (JSON.stringify(encode(value)).includes('["function",')) throw new Error('An object could not be cloned.')
    return value
  }
  const ipcRenderer = {
    invoke(channel: string, ...args: unknown[]) {
      lastId += 1
      const id = lastId
      const text = JSON.stringify({ id, channel, args: args.map(plain) })
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        shared.send(text)
      })
    },
    on(channel: string, listener: (event: object, ...args: unknown[]) => void) {
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener))
    },
    removeListener(channel: string, listener: (event: object, ...args: unknown[]) => void) {
      listeners.get(channel)?.delete(listener)
    },
  }
  Object.assign(globalThis, {
    __standinReceive(message: { id?: number; value?: unknown; error?: string; channel?: string; args?: unknown[] }) {
      if (message.channel !== undefined) {
        for (const listener of listeners.get(message.channel) ?? []) listener({}, ...(message.args ?? []))
        return
      }
      const call = waiting.get(message.id ?? 0)
      waiting.delete(message.id ?? 0)
      if (message.error === undefined) call?.resolve(message.value)
      else call?.reject(new Error(message.error))
    },
  })
  const contextBridge = {
    exposeInMainWorld: (key: string, value: unknown) => emit('expose', { key, value: encode(value) }),
  }
  const require = (name: string): unknown => {
    if (name === 'electron') return { contextBridge, ipcRenderer }
    throw new Error(`module not found: ${name}`)
  }
  const module = { exports: {} }
  run(
    require,
    { argv: shared.argv, platform: shared.platform, env: {}, sandboxed: true, contextIsolated: true },
    module,
    module.exports,
  )
}

export const WORLD = 'Electron Isolated Context'
export const BINDING = '__standinSend'

/** Only documents of the app get the bridge; the blank one before it does not. */
const onlyHere = (code: string): string => `if (location.protocol !== 'about:') { ${code} }`

export const mainWorldSource = (): string => onlyHere(`(${mainWorld.toString()})(${codec.toString()})`)

export function preloadSource(preload: string, argv: readonly string[]): string {
  const shared = `{ send: (text) => globalThis.${BINDING}(text), argv: ${JSON.stringify(argv)}, platform: ${JSON.stringify(process.platform)} }`
  return onlyHere(
    `(${preloadWorld.toString()})(${codec.toString()}, ${shared}, (require, process, module, exports) => { ${preload}\n })`,
  )
}
