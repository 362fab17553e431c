import { expect, test } from 'vitest'
import type { HostFrame, PageFrame, Welcome } from '#shared/bridge/frames.ts'
import { connectWebSocket, type PageEnvironment } from './ws.ts'

/** One socket of the page, played by the test. */
class FakeSocket extends EventTarget {
  readonly sent: PageFrame[] = []
  send(text: string): void {
    this.sent.push(JSON.parse(text) as PageFrame)
  }
  close(code = 1006): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
  opens(): void {
    this.dispatchEvent(new Event('open'))
  }
  says(frame: HostFrame): void {
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
  page.last().opens()
  page.last().says(welcome())
  return bridge
}

test('the page says hello with its code and keeps the session it gets', async () => {
  const page = aPage('c0de')
  await connected(page)
  expect(page.last().sent).toEqual([{ hello: { code: 'c0de' } }])
  expect(page.state.session).toBe('s1')
})

test('answers find their questions, in whatever order they come', async () => {
  const page = aPage('c')
  const bridge = await connected(page)
  const answers = Promise.all([bridge.call('a', 1), bridge.call('b', 2)])
  page.last().says({ id: 2, reply: { ok: true, value: 'B' } })
  page.last().says({ id: 1, reply: { ok: true, value: 'A' } })
  expect(await answers).toEqual([
    { ok: true, value: 'A' },
    { ok: true, value: 'B' },
  ])
})

test('after a drop the window is continued: missed pushes are asked for and open calls repeated under their number', async () => {
  const page = aPage('c')
  const bridge = await connected(page)
  page.last().says({ push: { kind: 'effect', effect: { type: 'command', action: 'x' } }, n: 4 })
  const early = bridge.call('early', null)
  page.last().close()
  const late = bridge.call('late', null)
  page.runTimers()
  page.last().opens()
  page.last().says({ word: 'word' })
  page.last().says(welcome({ resumed: true }))
  expect(page.last().sent).toEqual([
    { knock: 'n1' },
    { hello: { session: 's1', resume: { window: 'w1', lastPush: 4 } } },
    { id: 1, name: 'early', input: null },
    { id: 2, name: 'late', input: null },
  ])
  page.last().says({ id: 1, reply: { ok: true, value: 1 } })
  page.last().says({ id: 2, reply: { ok: true, value: 2 } })
  expect(await Promise.all([early, late])).toEqual([
    { ok: true, value: 1 },
    { ok: true, value: 2 },
  ])
})

test('a forgotten window fails what was under way, keeps what was not sent, and attaches again', async () => {
  const page = aPage('c')
  const bridge = await connected(page)
  let resets = 0
  bridge.onReset?.(() => (resets += 1))
  const under = bridge.call('under-way', null)
  page.last().close()
  const unsent = bridge.call('unsent', null)
  page.runTimers()
  page.last().opens()
  page.last().says(welcome({ window: 'w2' }))
  expect(await under).toMatchObject({ ok: false, error: { code: 'bridge/lost' } })
  expect(page.last().sent.slice(1)).toEqual([{ id: 2, name: 'unsent', input: null }])
  page.last().says({ id: 2, reply: { ok: true, value: null } })
  await unsent
  expect([resets, page.state.reloads]).toEqual([1, 0])
})

test('a page that does not listen for that is reloaded', async () => {
  const page = aPage('c')
  await connected(page)
  page.last().close()
  page.runTimers()
  page.last().opens()
  page.last().says(welcome({ window: 'w2' }))
  expect(page.state.reloads).toBe(1)
})

test('a refused page gives up and says why', async () => {
  const page = aPage(undefined, 'old')
  const bridge = connectWebSocket(page.environment)
  page.last().opens()
  page.last().says({ refused: { reason: 'locked', retryInMs: 1 } })
  page.last().close(4_001)
  await expect(bridge).rejects.toMatchObject({ code: 'bridge/locked' })
  expect([page.sockets.length, page.timers.length]).toEqual([1, 0])
})

test('an address where no one answers is given up after five tries', async () => {
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

/** A planned try, and no one there to answer it. */
function tryInVain(page: ReturnType<typeof aPage>): void {
  page.runTimers()
  page.last().close()
}

test('a socket that only dropped is no lost host', async () => {
  const page = aPage('c')
  const { states } = await lost(page)
  page.runTimers()
  page.last().opens()
  page.last().says({ word: 'word' })
  page.last().says(welcome({ resumed: true }))
  expect(states).toEqual(['here'])
})

test('where no one answers the host is gone: what waits and whatever is asked then fails, and it is looked for', async () => {
  const page = aPage('c')
  const { bridge, states } = await lost(page)
  const waiting = bridge.call('waiting', null)
  tryInVain(page)
  const failed = { ok: false, error: { code: 'bridge/gone' } }
  expect([await waiting, await bridge.call('later', null), states]).toEqual([failed, failed, ['here', 'gone']])
  const before = page.sockets.length
  tryInVain(page)
  tryInVain(page)
  expect(page.sockets.length).toBe(before + 2)
  expect(page.timers.map(({ ms }) => ms)).toEqual([1_600])
})

test('a host that came back lets the page in by its session, and everything goes on', async () => {
  const page = aPage('c')
  const { bridge, states } = await lost(page)
  let resets = 0
  bridge.onReset?.(() => (resets += 1))
  tryInVain(page)
  bridge.lookForHost?.()
  page.last().opens()
  expect(page.last().sent).toEqual([{ knock: 'n1' }])
  page.last().says({ word: 'word' })
  page.last().says(welcome({ window: 'other-1' }))
  expect([states, resets]).toEqual([['here', 'gone', 'here'], 1])
  const answer = bridge.call('now', null)
  page.last().says({ id: 1, reply: { ok: true, value: 1 } })
  expect(await answer).toEqual({ ok: true, value: 1 })
})

test('anyone who else listens there hears no session', async () => {
  const page = aPage('c')
  const { states } = await lost(page)
  page.runTimers()
  const stranger = page.last()
  stranger.opens()
  stranger.says({ word: 'guessed' })
  expect([stranger.sent, states]).toEqual([[{ knock: 'n1' }], ['here', 'gone']])
})

test('a host that does not know the page any more shuts it, and nothing is tried again', async () => {
  const page = aPage('c')
  const { bridge, states } = await lost(page)
  tryInVain(page)
  page.runTimers()
  page.last().opens()
  page.last().says({ refused: { reason: 'session' } })
  page.last().close(4_001)
  expect(states).toEqual(['here', 'gone', 'shut'])
  expect(await bridge.call('a', null)).toMatchObject({ ok: false, error: { code: 'bridge/session' } })
  expect(page.timers).toEqual([])
})

test('a host that takes the socket and says nothing is gone too', async () => {
  const page = aPage('c')
  const { states } = await lost(page)
  page.runTimers()
  page.last().opens()
  page.runTimers()
  expect(states).toEqual(['here', 'gone'])
})
