import type { Bridge, HostState, HostInfo } from '#shared/bridge/transport.ts'
import type { Effect, Push, Window } from '#shared/domain/changes.ts'
import type { Reply } from '#shared/lib/contract.ts'
import { changes, type Rows } from './builders.ts'

/** All data of the fake engine. Windows listed in `open` are part of the snapshot; others are returned when opened. */
export type World = {
  rows: Rows
  windows: Record<string, Window>
  /** Keys of the windows that the page has open. */
  open: Set<string>
}

export type Handler = (input: never, fake: FakeBridge) => unknown

export type FakeBridge = Bridge & {
  readonly world: World
  /** Every call made, oldest first. */
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
  /** Inputs of the calls with this name. */
  inputsOf(name: string): readonly unknown[]
  /** Handles a call; the last handler registered for a name wins. Throw an AppError-like `{code}` to refuse. */
  on(name: string, handler: Handler): void
  /** Changes rows and windows as the engine would, with the next revision. */
  change(rows: Rows, windows?: readonly Window[], del?: Readonly<Record<string, readonly string[]>>): void
  effect(effect: Effect): void
  /** Skips revisions, as if pushes were lost. */
  skip(count: number): void
  /** The process behind the window ends, and every call with it, or is back. */
  becomeHost(state: HostState): void
  /** Main has lost the window's state: revisions start again and the page is notified. */
  reset(): void
}

export const A_HOST: HostInfo = {
  kind: 'browser',
  os: 'linux',
  version: '0.1.0',
  titleBar: 'none',
  clock24h: true,
  capabilities: { nativeNotifications: false, badge: false, tray: false, severalWindows: true, files: true },
}

type Options = {
  rows?: Rows
  windows?: readonly Window[]
  host?: Partial<HostInfo>
  media?: (ref: string) => string | undefined
}

/**
 * The bridge of a window without an engine: an in-memory replica, which responds at once. For component tests and
 * pictures; never shipped.
 */
export function createFakeBridge({ rows = {}, windows = [], host = {}, media }: Options = {}): FakeBridge {
  const listeners = new Set<(push: Push) => void>()
  const resetListeners = new Set<() => void>()
  const hostListeners = new Set<(state: HostState) => void>()
  let hostState: HostState = 'here'
  const handlers = new Map<string, Handler>()
  const calls: { name: string; input: unknown }[] = []
  const world: World = {
    rows,
    windows: Object.fromEntries(windows.map((window) => [window.key, window])),
    open: new Set(),
  }
  let rev = 1
  let draftRevision = 0
  handlers.set('drafts.save', () => ({ revision: (draftRevision += 1) }))
  const push = (message: Push): void => {
    for (const listener of listeners) listener(message)
  }
  const fake: FakeBridge = {
    host: { ...A_HOST, ...host },
    world,
    calls,
    inputsOf: (name) => calls.filter((call) => call.name === name).map((call) => call.input),
    on: (name, handler) => void handlers.set(name, handler),
    change(given, changed = [], del = {}) {
      const put = { ...given, ...revisionsOf(given, del, () => (draftRevision += 1)) }
      for (const [table, added] of Object.entries(put)) {
        world.rows = { ...world.rows, [table]: { ...world.rows[table as keyof Rows], ...added } }
      }
      for (const window of changed) world.windows[window.key] = window
      rev += 1
      push({ kind: 'changes', changeSet: changes(rev, put, { windows: changed, del }) })
    },
    effect: (effect) => push({ kind: 'effect', effect }),
    skip: (count) => void (rev += count),
    becomeHost(state) {
      hostState = state
      for (const listener of hostListeners) listener(state)
    },
    onHost(listener) {
      hostListeners.add(listener)
      listener(hostState)
      return () => void hostListeners.delete(listener)
    },
    reset() {
      rev = 1
      for (const listener of resetListeners) listener()
    },
    onReset(listener) {
      resetListeners.add(listener)
      return () => void resetListeners.delete(listener)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    mediaUrl: (ref) => {
      const url = media?.(ref)
      return url === undefined ? Promise.reject(new Error('no such media')) : Promise.resolve(url)
    },
    async call(name, input) {
      calls.push({ name, input })
      if (hostState !== 'here') return { ok: false, error: { code: 'bridge/gone' } }
      if (name === 'app.attach') return { ok: true, value: snapshot(world, rev) }
      return answer(handlers.get(name), input, fake)
    },
  }
  return fake
}

/** Every change of a draft has a revision, also its removal. */
function revisionsOf(put: Rows, del: Readonly<Record<string, readonly string[]>>, next: () => number): Rows {
  const keys = [...Object.keys(put.drafts ?? {}), ...(del['drafts'] ?? [])]
  return keys.length === 0 ? {} : { draftRevisions: Object.fromEntries(keys.map((key) => [key, next()])) }
}

function snapshot(world: World, rev: number) {
  const always = Object.values(world.windows).filter((window) => window.key === 'channels' || window.key === 'outbox')
  return changes(rev, world.rows, { windows: always })
}

async function answer(handler: Handler | undefined, input: unknown, fake: FakeBridge): Promise<Reply> {
  try {
    return { ok: true, value: await handler?.(input as never, fake) }
  } catch (error) {
    const { code, params, detail } = error as { code?: string; params?: Record<string, string>; detail?: string }
    if (code === undefined) throw error
    return { ok: false, error: { code, params, detail: detail || undefined } }
  }
}
