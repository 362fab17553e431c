import { describe, expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { aWireChannelState, aWireMessage, CID, FakeApi, refused, withChannel } from '#kit/lone-engine.ts'
import { reading, type Lone } from '#kit/lone-talk.ts'

/** Going to places of a list, in the engine: what is asked for, what stands in the window, and which of two ways wins. */
const cid = asCid(CID)
const COUNT = 1_000
const idOf = (n: number): string => `m${String(n).padStart(4, '0')}`
const history = Array.from({ length: COUNT }, (_, n) => aWireMessage(idOf(n), n * 1_000))

type Body = { messages: { limit: number; id_lt?: string; id_gt?: string; id_around?: string } }

/** A channel of a thousand messages, whose pages around a message wait until they are let go. */
function deep(holds: readonly string[] = []) {
  const waiting = new Map<string, () => void>()
  const api = withChannel(new FakeApi())
    .on('QueryChannels', () => ({ channels: [aWireChannelState(history.slice(-25))] }))
    .on('GetOrCreateChannel', ({ body }) => {
      const { limit, id_lt: before, id_around: around } = (body as Body).messages
      const at = history.findIndex(({ id }) => id === (around ?? before))
      const [from, to] =
        around !== undefined
          ? [at - limit / 2, at + limit / 2]
          : before !== undefined
            ? [at - limit, at]
            : [COUNT - limit, COUNT]
      const page = aWireChannelState(history.slice(Math.max(0, from), to))
      if (around === undefined || !holds.includes(around)) return page
      return new Promise((resolve) => waiting.set(around, () => resolve(page)))
    })
    .on('GetMessage', ({ params }) => {
      const message = history.find(({ id }) => id === params['id'])
      if (message === undefined) throw refused(404, 16)
      return { message }
    })
  return { api, arrives: (id: string) => waiting.get(id)?.() }
}

const shown = (lone: Lone) => lone.replica.windows.get(`timeline:${CID}`)
const around = (lone: Lone, n: number, visit: number) =>
  lone.engine.handlers.channels.open({ cid, around: asMessageId(idOf(n)), visit }, lone.client)

describe('one call leads to a message', () => {
  test('with a hundred neighbours, and the window says which way it answers', async () => {
    const { api } = deep()
    const lone = await reading([], api)
    const asked = api.to('GetOrCreateChannel').length
    expect(await around(lone, 300, 7)).toBe(idOf(300))
    await lone.clock.settle()
    expect(api.to('GetOrCreateChannel').length - asked).toBe(1)
    expect(shown(lone)).toMatchObject({ landed: { visit: 7, id: idOf(300) }, hasPrev: true, hasNext: true })
    expect(shown(lone)?.ids.indexOf(idOf(300))).toBe(50)
    expect(shown(lone)?.ids).toHaveLength(100)
  })

  test('what is held already is not asked for, and keeps what the list holds', async () => {
    const { api } = deep()
    const lone = await reading([], api)
    const before = shown(lone)?.ids
    const asked = api.to('GetOrCreateChannel').length
    await around(lone, COUNT - 5, 1)
    await lone.clock.settle()
    expect([shown(lone)?.ids, api.to('GetOrCreateChannel').length - asked]).toEqual([before, 0])
    expect(shown(lone)?.landed).toEqual({ visit: 1, id: idOf(COUNT - 5) })
  })

  test('a message that is gone leads to its time, where one is given; else it is refused', async () => {
    const { api } = deep()
    const lone = await reading([], api)
    const at = Date.parse(String(history[300]?.['created_at']))
    const gone = { cid, around: asMessageId('gone'), visit: 3 }
    expect(await lone.engine.handlers.channels.open({ ...gone, at }, lone.client)).toBeTruthy()
    await expect(lone.engine.handlers.channels.open(gone, lone.client)).rejects.toMatchObject({ code: 'message/gone' })
  })

  test('a stray message is no beginning of the newest page', async () => {
    const { api } = deep()
    const lone = await reading([], api)
    api.on('GetPinnedMessages', () => ({ messages: [history[10]] }))
    await lone.engine.handlers.channels.openPinned({ cid }, lone.client)
    await lone.clock.settle()
    await lone.engine.handlers.channels.close({ cid }, lone.client)
    await lone.engine.handlers.channels.open({ cid }, lone.client)
    await lone.clock.settle()
    expect([shown(lone)?.ids[0], shown(lone)?.gapsBefore]).toEqual([idOf(COUNT - 100), []])
  })
})

describe('of several ways the last one wins', () => {
  test('a page that comes after the next jump moves nothing', async () => {
    const { api, arrives } = deep([idOf(200)])
    const lone = await reading([], api)
    const slow = around(lone, 200, 1)
    await lone.clock.settle()
    await around(lone, 500, 2)
    arrives(idOf(200))
    expect(await slow).toBeNull()
    await lone.clock.settle()
    expect(shown(lone)?.landed).toEqual({ visit: 2, id: idOf(500) })
    expect(shown(lone)?.ids).not.toContain(idOf(200))
  })

  test('nor one that comes after the way back to the newest, or after the list was closed', async () => {
    const { api, arrives } = deep([idOf(200), idOf(400)])
    const lone = await reading([], api)
    const slow = around(lone, 200, 1)
    await lone.clock.settle()
    await lone.engine.handlers.channels.open({ cid }, lone.client)
    arrives(idOf(200))
    await slow
    await lone.clock.settle()
    expect(shown(lone)).toMatchObject({ hasNext: false })
    const late = around(lone, 400, 2)
    await lone.clock.settle()
    await lone.engine.handlers.channels.close({ cid }, lone.client)
    arrives(idOf(400))
    await late
    await lone.clock.settle()
    expect(shown(lone)?.ids ?? []).not.toContain(idOf(400))
  })

  test('an older page of the place that was left does not grow the new one', async () => {
    const { api } = deep()
    const lone = await reading([], api)
    const page = lone.engine.handlers.channels.page({ cid, direction: 'older' }, lone.client)
    await around(lone, 300, 1)
    await page
    await lone.clock.settle()
    expect(shown(lone)?.ids).toHaveLength(100)
  })
})

test('without a connection a place that is not held is refused, and the list stays where it is', async () => {
  const { api } = deep()
  const lone = await reading([], api)
  await around(lone, 300, 1)
  await lone.clock.settle()
  await lone.engine.handlers.channels.open({ cid }, lone.client)
  await lone.clock.settle()
  await lone.offline()
  const before = shown(lone)?.ids
  await expect(around(lone, 700, 2)).rejects.toMatchObject({ code: 'network/offline' })
  expect(shown(lone)?.ids).toEqual(before)
  expect(await around(lone, 300, 3)).toBe(idOf(300))
})

test('a list that was left far from its end is still held, exactly there', async () => {
  const { api } = deep()
  const lone = await reading([], api)
  await around(lone, 300, 1)
  await lone.clock.settle()
  await lone.engine.handlers.channels.close({ cid }, lone.client)
  await lone.clock.settle()
  expect(shown(lone)?.ids).toContain(idOf(300))
  const asked = api.to('GetOrCreateChannel').length
  await around(lone, 300, 2)
  await lone.clock.settle()
  expect([api.to('GetOrCreateChannel').length - asked, shown(lone)?.landed?.visit]).toEqual([0, 2])
})
