import { expect, test } from 'vitest'
import type { HostFrame, PageFrame, Welcome } from '#shared/bridge/transport.ts'
import { connectWebSocket, type PageEnvironment } from './ws.ts'

/** One socket of the page, driven by the test. */
class FakeSocket extends EventTarget {
  readonly sent: PageFrame[] = []
  send(text: string): void {
    this.sent.push(JSON.parse(text) as PageFrame)
  }
  close(code = 1006): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
  opened(): void {
    this.dispatchEvent(new Event('open'))
  }
  receive(frame: HostFrame): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(frame) }))
  }
}

function aPage(code?: string, session?: string) {
  const sockets: FakeSocket[] = []
  const timers: { ms: number; fn: () => void }[] = []
  const state = { session, reloads: 0 }
  const environment: PageEnvironment = {
    open: () => {
      const socket = new FakeSocket()
      sockets.push(socket)
      return socket as unknown as WebSocket
    },
    url: 'ws://127.0.0.1:1/bridge',
    takeCode: () => code,
    session: { read: () => state.session, write: (token) => void (state.session = token) },
    after: (ms, fn) => {
      const timer = { ms, fn }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0)
    },
    reload: () => void (state.reloads += 1),
  }
  const last = (): FakeSocket => sockets.at(-1) ?? new FakeSocket()
  return { environment, sockets, timers, state, last, runTimers: () => timers.splice(0).forEach(({ fn }) => fn()) }
}

const welcome = (changes: Partial<Welcome> = {}): HostFrame => ({
  welcome: {
    session: 's1',
    knock: { name: 'n1', word: 'word' },
    window: 'w1',
    resumed: false,
    host: {} as Welcome['host'],
    ...changes,
  },
})

async function connected(page: ReturnType<typeof aPage>) {
  const bridge = connectWebSocket(page.environment)
  page.last().opened()
  page.last().receive(welcome())
  return bridge
}

test('the page sends its code and stores the session it gets', async () => {
  const page = aPage('c0de')
  await connected(page)
  expect(page.last().sent).toEqual([{ hello: { code: 'c0de' } }])
  expect(page.state.session).toBe('s1')
})

test('responses are matched to their calls in any order', async () => {
  const page = aPage('c')
  const bridge = await connected(page)
  const answers = Promise.all([bridge.call('a', 1), bridge.call('b', 2)])
  page.last().receive({ id: 2, reply: { ok: true, value: 'B' } })
  page.last().receive({ id: 1, reply: { ok: true, value: 'A' } })
  expect(await answers).toEqual([
    { ok: true, value: 'A' },
    { ok: true, value: 'B' },
  ])
})

test('after a drop the window is resumed: missed pushes are requested and pending calls sent again with their ids', async () => {
  const page = aPage('c')
  const bridge = await connected(page)
  page.last().receive({ push: { kind: 'effect', effect: { type: 'command', action: 'x' } }, n: 4 })
  const early = bridge.call('early', null)
  page.last().close()
  const late = bridge.call('late', null)
  page.runTimers()
  page.last().opened()
  page.last().receive({ word: 'word' })
  page.last().receive(welcome({ resumed: true }))
  expect(page.last().sent).toEqual([
    { knock: 'n1' },
    { hello: { session: 's1', resume: { window: 'w1', lastPush: 4 } } },
    { id: 1, name: 'early', input: null },
    { id: 2, name: 'late', input: null },
  ])
  page.last().receive({ id: 1, reply: { ok: true, value: 1 } })
  page.last().receive({ id: 2, reply: { ok: true, value: 2 } })
  expect(await Promise.all([early, late])).toEqual([
    { ok: true, value: 1 },
    { ok: true, value: 2 },
  ])
})

test('when main no longer knows the window, calls in flight fail, unsent ones are sent, and it attaches again', async () => {
  const page = aPage('c')
  const bridge = await connected(page)
  let resets = 0
  bridge.onReset?.(() => (resets += 1))
  const under = bridge.call('under-way', null)
  page.last().close()
  const unsent = bridge.call('unsent', null)
  page.runTimers()
  page.last().opened()
  page.last().receive(welcome({ window: 'w2' }))
  expect(await under).toMatchObject({ ok: false, error: { code: 'bridge/lost' } })
  expect(page.last().sent.slice(1)).toEqual([{ id: 2, name: 'unsent', input: null }])
  page.last().receive({ id: 2, reply: { ok: true, value: null } })
  await unsent
  expect(resets).toBe(1)
  expect(page.state.reloads).toBe(0)
})

test('a page without a reset listener is reloaded', async () => {
  const page = aPage('c')
  await connected(page)
  page.last().close()
  page.runTimers()
  page.last().opened()
  page.last().receive(welcome({ window: 'w2' }))
  expect(page.state.reloads).toBe(1)
})

test('a refused page stops and rejects with the reason', async () => {
  const page = aPage(undefined, 'old')
  const bridge = connectWebSocket(page.environment)
  page.last().opened()
  page.last().receive({ refused: { reason: 'locked', retryInMs: 1 } })
  page.last().close(4_001)
  await expect(bridge).rejects.toMatchObject({ code: 'bridge/locked' })
  expect(page.sockets.length).toBe(1)
  expect(page.timers.length).toBe(0)
})

test('connecting to an address that does not respond fails after five tries', async () => {
  const page = aPage('c')
  const bridge = connectWebSocket(page.environment)
  for (let index = 0; index < 5; index += 1) {
    page.last().close()
    page.runTimers()
  }
  await expect(bridge).rejects.toMatchObject({ code: 'bridge/lost' })
  expect(page.sockets).toHaveLength(5)
})

test('a socket that has gone silent is dropped and replaced', async () => {
  const page = aPage('c')
  await connected(page)
  for (let index = 0; index < 4; index += 1) page.runTimers()
  page.runTimers()
  expect(page.sockets).toHaveLength(2)
})

async function lost(page: ReturnType<typeof aPage>) {
  const bridge = await connected(page)
  const states: string[] = []
  bridge.onHost?.((state) => states.push(state))
  page.last().close()
  return { bridge, states }
}

/** A scheduled retry that fails. */
function tryInVain(page: ReturnType<typeof aPage>): void {
  page.runTimers()
  page.last().close()
}

test('the host is not lost when a socket drops and reconnects', async () => {
  const page = aPage('c')
  const { states } = await lost(page)
  page.runTimers()
  page.last().opened()
  page.last().receive({ word: 'word' })
  page.last().receive(welcome({ resumed: true }))
  expect(states).toEqual(['here'])
})

test('when retries fail the host is gone: pending and new calls fail, and retries go on', async () => {
  const page = aPage('c')
  const { bridge, states } = await lost(page)
  const waiting = bridge.call('waiting', null)
  tryInVain(page)
  const failed = { ok: false, error: { code: 'bridge/gone' } }
  expect(await waiting).toEqual(failed)
  expect(await bridge.call('later', null)).toEqual(failed)
  expect(states).toEqual(['here', 'gone'])
  const before = page.sockets.length
  tryInVain(page)
  tryInVain(page)
  expect(page.sockets.length).toBe(before + 2)
  expect(page.timers.map(({ ms }) => ms)).toEqual([1_600])
})

test('a host that is back accepts the page by its session, and calls work again', async () => {
  const page = aPage('c')
  const { bridge, states } = await lost(page)
  let resets = 0
  bridge.onReset?.(() => (resets += 1))
  tryInVain(page)
  bridge.lookForHost?.()
  page.last().opened()
  expect(page.last().sent).toEqual([{ knock: 'n1' }])
  page.last().receive({ word: 'word' })
  page.last().receive(welcome({ window: 'other-1' }))
  expect(states).toEqual(['here', 'gone', 'here'])
  expect(resets).toBe(1)
  const answer = bridge.call('now', null)
  page.last().receive({ id: 1, reply: { ok: true, value: 1 } })
  expect(await answer).toEqual({ ok: true, value: 1 })
})

test('another program on the same port does not get the session', async () => {
  const page = aPage('c')
  const { states } = await lost(page)
  page.runTimers()
  const stranger = page.last()
  stranger.opened()
  stranger.receive({ word: 'guessed' })
  expect(stranger.sent).toEqual([{ knock: 'n1' }])
  expect(states).toEqual(['here', 'gone'])
})

test('a host that no longer knows the page shuts it, and there are no more retries', async () => {
  const page = aPage('c')
  const { bridge, states } = await lost(page)
  tryInVain(page)
  page.runTimers()
  page.last().opened()
  page.last().receive({ refused: { reason: 'session' } })
  page.last().close(4_001)
  expect(states).toEqual(['here', 'gone', 'shut'])
  expect(await bridge.call('a', null)).toMatchObject({ ok: false, error: { code: 'bridge/session' } })
  expect(page.timers).toEqual([])
})

test('a host that accepts the socket and sends nothing is gone too', async () => {
  const page = aPage('c')
  const { states } = await lost(page)
  page.runTimers()
  page.last().opened()
  page.runTimers()
  expect(states).toEqual(['here', 'gone'])
})
