import type { ChangeSet } from '#shared/domain/changes.ts'
import type { Session } from '#shared/domain/session.ts'
import { NOT_CONNECTED } from '#main/engine/changes/memory.ts'
import type { Badge, Commit } from '#main/engine/context.ts'
import type { Engine, EngineOptions } from '#main/engine/engine.ts'
import type { Composed, LaunchOptions } from '#main/app/launch-options.ts'
import { compose } from '#main/app/compose.ts'
import { FakeHost, type FakeWindow } from './fake-host.ts'

/** An engine that opens real stores and connects, and shows nothing but its session. */
type ToyEngine = {
  readonly options: EngineOptions
  readonly published: object[]
  readonly notices: string[]
  /** The channel that each window requested to see first. */
  readonly firstShown: (string | undefined)[]
  stopped: boolean
  badge: Badge
  commit(commit: Commit): void
}

const NOTHING_CARRIED = {
  carried: { drafts: [], messages: [], reminders: [], done: [], follows: [], reads: [] },
  left: { messages: 0, changes: 0, files: 0 },
}

/** The app on a fake host, with toy engines: `begin` and `end` before and after each test. */
export function testApp() {
  let world: FakeHost
  let engines: ToyEngine[] = []
  let composed: Composed | undefined

  function begin(): FakeHost {
    world = new FakeHost()
    world.http.on('GET', '/app', { body: { app: { name: 'Parlor' } } })
    engines = []
    return world
  }

  async function end(): Promise<void> {
    await stop()
    world.dispose()
  }

  function toyEngine(options: EngineOptions): Engine {
    const stores = options.openStores(() => {})
    const listeners = new Set<(commit: Commit) => void>()
    const connection = options.connect({ onState: () => {}, onHealthy: () => {}, onEvents: () => {} })
    const toy: ToyEngine = {
      options,
      published: [],
      notices: [],
      firstShown: [],
      stopped: false,
      badge: { unread: 0, mentions: 0 },
      commit: (commit) => {
        toy.badge = commit.badge
        for (const listener of listeners) listener(commit)
      },
    }
    engines.push(toy)
    return {
      stores,
      handlers: { messages: { send: () => 'm1' }, drafts: { add: () => {} } } as unknown as Engine['handlers'],
      previewPicture: () => undefined,
      reportedPicture: () => undefined,
      surveyed: () => [],
      channelName: () => '',
      missingBefore: () => undefined,
      loadOlder: () => Promise.resolve(),
      sending: () => ({ files: 0, bytes: 0, share: 0, texts: 0 }),
      start: () => connection.start(),
      async stop() {
        await connection.stop()
        stores.close()
        toy.stopped = true
      },
      attach: (_client, { lastChannel }) => (
        toy.firstShown.push(lastChannel),
        { rev: 7, put: { session: { self: options.session } }, del: {}, windows: [], closed: [] }
      ),
      detach: () => {},
      onCommitted: (fn) => {
        listeners.add(fn)
        return () => listeners.delete(fn)
      },
      publish: (values) => void toy.published.push(values),
      notify: ({ code }) => void toy.notices.push(code),
      notices: () => [],
      reportFocus: () => {},
      focuses: () => [],
      unsentCount: () => 3,
      badge: () => toy.badge,
      connection: () => NOT_CONNECTED,
      onRing: () => () => {},
      invites: () => [],
      aboutReminder: () => undefined,
      aboutArrival: () => undefined,
      countInterruption: () => {},
      interruptions: () => ({ from: 0, channels: [] }),
      digestPlace: () => undefined,
      digestedAt: () => undefined,
      digested: () => {},
      keepDigests: () => {},
      exported: () => [],
      carriedAway: () => NOTHING_CARRIED,
      planCarryIn: () => {
        throw new Error('Nothing is carried into the toy')
      },
      carryIn: () => {},
      historyTable: () => Promise.resolve({ text: '', count: 0, cut: false }),
      campaignTable: () => Promise.resolve({ text: '', rows: 0 }),
      dryRunTable: () => [],
      exportedPerson: () => Promise.resolve({ text: '{}', messages: 0 }),
      setAway: () => {},
      sharesUntil: () => undefined,
      stopSharing: () => undefined,
      serverNow: () => 0,
      woke: () => {},
      reconnectNow: () => connection.reconnectNow(),
      onActivity: () => connection.onActivity(),
      diagnostics: () => {
        throw new Error('Nobody asks the toy')
      },
    }
  }

  /** The first start opens the demo as one of its people, unless other options are given; later ones go on from there. */
  async function start(options: LaunchOptions = { demo: engines.length === 0 }): Promise<FakeWindow> {
    composed = await compose(world.host, world.dispatch, options, toyEngine)
    await world.clock.settle()
    return world.window()
  }

  async function stop(): Promise<void> {
    const stopping = composed?.stop()
    composed = undefined
    await world.clock.advance(2_000)
    await stopping
  }

  async function sessionOf(window: FakeWindow): Promise<Session | undefined> {
    const reply = await window.call('app.attach', {})
    return reply.ok ? (reply.value as ChangeSet).put.session?.['self'] : undefined
  }

  /** Accounts besides the one on screen are opened in the background, which takes time on the real disk. */
  async function untilRunning(count: number): Promise<readonly string[]> {
    for (let turn = 0; turn < 1_000 && live().length < count; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      await world.clock.settle()
    }
    return live()
  }

  /** The users whose engines run, in the order they were opened. */
  const live = () => engines.filter((engine) => !engine.stopped).map((engine) => engine.options.account.userId)

  return { begin, end, start, stop, sessionOf, untilRunning, live, engines: () => engines, composed: () => composed }
}

export const codeOf = async (call: Promise<{ ok: boolean; error?: { code: string } }>) =>
  (await call).error?.code ?? 'ok'
export const tokenOf = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`

/** A server elsewhere, and Ann's token for it. */
export const HOSTED = { url: 'https://chat.example', apiKey: 'K', token: tokenOf({ user_id: 'ann' }) }
