import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import * as v from 'valibot'
import { ManualClock } from '#kit/manual-clock.ts'
import { contract } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { call } from '#shared/lib/contract.ts'
import type { ClientWindow } from '#main/hosts/host.ts'
import type { LogSink } from '#main/lib/logger.ts'
import { createDispatch, type AnyArea } from './dispatch.ts'

const toy = {
  math: {
    double: call<number>()(v.object({ n: v.number() })),
    ask: call<void>('dialog')(v.undefined()),
    fail: call<void>()(v.undefined()),
  },
}

function createNewDispatch(handlers: Record<string, AnyArea>, table: typeof toy | typeof contract = toy) {
  const clock = new ManualClock()
  const logged: { event: string; fields: object }[] = []
  const log: LogSink = (_level, _area, event, fields) => logged.push({ event, fields })
  const dispatch = createDispatch({ contract: table, clock, log })
  dispatch.serve({ handlersFor: (window, area) => ({ handlers: handlers[area] ?? {}, context: window.id }) })
  return { dispatch, clock, logged }
}

const windowOf = (id: string): ClientWindow => ({ id, push: () => undefined })
const w1 = windowOf('w1')
const nested = (depth: number): unknown => (depth === 0 ? 1 : { d: nested(depth - 1) })
const code = async (reply: Promise<{ ok: boolean; error?: { code: string } }>) => (await reply).error?.code ?? 'ok'

const handlers = {
  math: {
    double: ({ n }: { n: number }) => n * 2,
    ask: () => undefined,
    fail: () => undefined,
  } as unknown as AnyArea,
}

test('calls are refused until the app serves windows, and media are absent', async () => {
  const dispatch = createDispatch({ contract: toy, clock: new ManualClock(), log: () => undefined })
  expect(await code(dispatch.call(w1, 'math.double', { n: 4 }))).toBe('bridge/starting')
  expect(await dispatch.media(w1, 'user/alice', 'full')).toBeUndefined()
  const closed: string[] = []
  dispatch.serve({
    handlersFor: () => ({ handlers: handlers.math, context: undefined }),
    closed: ({ id }) => void closed.push(id),
    media: (_window, ref) => Promise.resolve({ path: ref, mimeType: 'image/png', sizeBytes: 1 }),
  })
  expect(await dispatch.call(w1, 'math.double', { n: 4 })).toEqual({ ok: true, value: 8 })
  expect(await dispatch.media(w1, 'user/alice', 'full')).toMatchObject({ path: 'user/alice' })
  dispatch.closed(w1)
  expect(closed).toEqual(['w1'])
})

test('a call is parsed, run and its result returned', async () => {
  const { dispatch } = createNewDispatch(handlers)
  expect(await dispatch.call(w1, 'math.double', { n: 4, extra: true })).toEqual({ ok: true, value: 8 })
})

test.each([
  'math',
  'math.',
  '.double',
  'math.double.x',
  'math.triple',
  'other.double',
  '',
  '__proto__.toString',
  'constructor.name',
  'math.constructor',
  'math.__proto__',
  'math.hasOwnProperty',
  'toString.call',
])('%j is refused as unknown', async (name) => {
  expect(await code(createNewDispatch(handlers).dispatch.call(w1, name, { n: 1 }))).toBe('bridge/unknown-call')
})

test.each([undefined, null, 7, {}, Symbol('a name that is not a string is refused: %s')])(
  'a name that is no text is refused: %s',
  async (name) => {
    expect(await code(createNewDispatch(handlers).dispatch.call(w1, name as string, {}))).toBe('bridge/unknown-call')
  },
)

test.each<[string, unknown]>([
  ['the wrong type', { n: 'four' }],
  ['nothing', undefined],
  ['33 levels', { n: 1, d: nested(33) }],
  ['100,000 levels', JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))],
  ['5,001 nodes', { n: 1, list: Array.from({ length: 5_001 }, () => 1) }],
  ['more than a megabyte', { n: 1, text: 'ż'.repeat(600_000) }],
  ['a date', { n: 1, at: new Date(0) }],
  ['a map', { n: 1, map: new Map() }],
  ['bytes', { n: 1, bytes: new Uint8Array(8) }],
  ['a function', { n: 1, run: () => 1 }],
  ['a prototype key', JSON.parse('{"n":1,"__proto__":{"polluted":true}}')],
  ['a constructor key', { n: 1, constructor: {} }],
  ['not a number', { n: Number.NaN }],
])('an input with %s is refused', async (_name, input) => {
  expect(await code(createNewDispatch(handlers).dispatch.call(w1, 'math.double', input))).toBe('bridge/invalid-input')
})

test('a cycle is refused, not followed', async () => {
  const loop: Record<string, unknown> = { n: 1 }
  loop['self'] = loop
  expect(await code(createNewDispatch(handlers).dispatch.call(w1, 'math.double', loop))).toBe('bridge/invalid-input')
})

test('the refusal contains the field, never the value', async () => {
  const { dispatch } = createNewDispatch(handlers)
  const reply = await dispatch.call(w1, 'math.double', { n: 'my secret text' })
  expect(JSON.stringify(reply)).toContain('n: number')
  expect(JSON.stringify(reply)).not.toContain('secret')
})

describe('rates', () => {
  test('400 calls at once, then 200 a second', async () => {
    const { dispatch, clock } = createNewDispatch(handlers)
    const burst = await Promise.all(Array.from({ length: 401 }, () => code(dispatch.call(w1, 'math.double', { n: 1 }))))
    expect(burst.filter((one) => one === 'ok').length).toBe(400)
    expect(burst.at(-1)).toBe('bridge/too-often')
    await clock.advance(1_000)
    const second = await Promise.all(
      Array.from({ length: 201 }, () => code(dispatch.call(w1, 'math.double', { n: 1 }))),
    )
    expect(second.filter((one) => one === 'ok').length).toBe(200)
  })

  test('a heavy call is allowed ten times at once, and does not use up the other calls', async () => {
    const { dispatch } = createNewDispatch({ app: { attach: () => undefined, noticeLog: () => [] } }, contract)
    const replies = await Promise.all(Array.from({ length: 1_000 }, () => code(dispatch.call(w1, 'app.attach', {}))))
    expect(replies.filter((reply) => reply === 'ok').length).toBe(10)
    expect(await code(dispatch.call(w1, 'app.noticeLog', undefined))).toBe('ok')
  })

  test('five dialogs a second, independent of other windows', async () => {
    const { dispatch } = createNewDispatch(handlers)
    const codes = await Promise.all(Array.from({ length: 6 }, () => code(dispatch.call(w1, 'math.ask', undefined))))
    expect(codes).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'bridge/too-often'])
    expect(await code(dispatch.call(windowOf('w2'), 'math.ask', undefined))).toBe('ok')
  })
})

describe('a handler that fails', () => {
  const failing = (error: unknown) =>
    createNewDispatch({
      math: {
        fail: () => {
          throw error
        },
      },
    })

  test('with an AppError returns its code and detail', async () => {
    const { dispatch, logged } = failing(
      new AppError('message/gone', { params: { n: 1 }, detail: 'a text for developers' }),
    )
    expect(await dispatch.call(w1, 'math.fail', undefined)).toEqual({
      ok: false,
      error: { code: 'message/gone', params: { n: 1 }, detail: 'a text for developers' },
    })
    expect(logged).toEqual([])
  })

  test.each<[string, unknown]>([
    ['an error', new Error("ENOENT: no such file, open '/home/ann/secret'")],
    ['a text', 'boom'],
    ['nothing', undefined],
  ])('with %s returns app/internal and logs the rest', async (_name, error) => {
    const { dispatch, logged } = failing(error)
    expect(await dispatch.call(w1, 'math.fail', undefined)).toEqual({ ok: false, error: { code: 'app/internal' } })
    expect(logged).toMatchObject([{ event: 'handler-failed', fields: { name: 'math.fail' } }])
  })

  test.each(["cannot open '/home/ann/x'", 'C:\\Users\\Ann\\x', '/var/tmp/x'])(
    'does not reveal the path: %s',
    async (detail) => {
      const reply = await failing(new AppError('disk/full', { detail })).dispatch.call(w1, 'math.fail', undefined)
      expect(reply).toEqual({ ok: false, error: { code: 'disk/full', params: {} } })
    },
  )

  test('asynchronously is handled the same way', async () => {
    const { dispatch } = createNewDispatch({ math: { fail: () => Promise.reject(new AppError('network/offline')) } })
    expect(await code(dispatch.call(w1, 'math.fail', undefined))).toBe('network/offline')
  })
})

describe('the real contract', () => {
  const names = Object.entries(contract).flatMap(([area, calls]) => Object.keys(calls).map((name) => `${area}.${name}`))

  test('has a schema and a rate for every call', () => {
    expect(names.length).toBeGreaterThan(40)
    for (const calls of Object.values(contract)) {
      for (const spec of Object.values(calls))
        expect(spec).toMatchObject({ input: { kind: 'schema' }, rate: expect.any(String) })
    }
  })

  test.each(names)('%s handles any input', async (name) => {
    const [area = '', one = ''] = name.split('.')
    const { dispatch, clock, logged } = createNewDispatch({ [area]: { [one]: () => undefined } }, contract)
    const anything = fc.oneof(
      fc.anything(),
      fc.object({ maxDepth: 3 }),
      fc.record({ cid: fc.string(), text: fc.anything() }),
    )
    await fc.assert(
      fc.asyncProperty(anything, async (input) => {
        await clock.advance(1_000)
        const reply = await dispatch.call(w1, name, input)
        return reply.ok || ['bridge/invalid-input', 'bridge/unknown-call'].includes(reply.error.code)
      }),
      { numRuns: 100 },
    )
    expect(logged).toEqual([])
  })
})
