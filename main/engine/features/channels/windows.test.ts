import { describe, expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import {
  aLoneEngine,
  aWireChannelState,
  aWireMessage,
  aWireUser,
  CID,
  FakeApi,
  refused,
  withChannel,
} from '#kit/lone-engine.ts'
import { nextTurn } from '#main/lib/clock.ts'
import { reading, type Lone } from '#kit/lone-talk.ts'

/**
 * Navigation in a list, in the engine: which requests are made, what the list shows, and which of two navigations
 * wins.
 */
const cid = asCid(CID)
const COUNT = 1_000
const idOf = (n: number): string => `m${String(n).padStart(4, '0')}`
const history = Array.from({ length: COUNT }, (_, n) => aWireMessage(idOf(n), n * 1_000))

type Body = {
  messages: { limit: number; id_lt?: string; id_gt?: string; id_around?: string; created_at_around?: string }
}

/** A channel of a thousand messages, whose pages around a message are delayed until released. */
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

/** The response with the newest messages of the channel is delayed until released. */
function late() {
  const { api } = deep()
  let release = (): void => undefined
  api.on(
    'GetOrCreateChannel',
    () => new Promise((resolve) => (release = () => resolve(aWireChannelState(history.slice(-100))))),
  )
  return { api, arrives: () => release() }
}

const shown = (lone: Lone) => lone.replica.windows.get(`timeline:${CID}`)
const around = (lone: Lone, n: number, visit: number) =>
  lone.engine.handlers.channels.open({ cid, around: asMessageId(idOf(n)), visit }, lone.client)

describe('one call opens a message', () => {
  test('with a hundred neighbors, and the list names the call that it belongs to', async () => {
    const { api } = deep()
    const lone = await reading([], api)
    const requests = api.to('GetOrCreateChannel').length
    expect(await around(lone, 300, 7)).toBe(idOf(300))
    await lone.clock.settle()
    expect(api.to('GetOrCreateChannel').length - requests).toBe(1)
    expect(shown(lone)).toMatchObject({ landed: { visit: 7, id: idOf(300) }, hasPrev: true, hasNext: true })
    expect(shown(lone)?.ids.indexOf(idOf(300))).toBe(50)
    expect(shown(lone)?.ids).toHaveLength(100)
  })

  test('a cached message is not requested, and keeps the content of the list', async () => {
    const { api } = deep()
    const lone = await reading([], api)
    const before = shown(lone)?.ids
    const requests = api.to('GetOrCreateChannel').length
    await around(lone, COUNT - 5, 1)
    await lone.clock.settle()
    expect(shown(lone)?.ids).toEqual(before)
    expect(api.to('GetOrCreateChannel').length - requests).toBe(0)
    expect(shown(lone)?.landed).toEqual({ visit: 1, id: idOf(COUNT - 5) })
  })

  test('a deleted message opens its time if one is given; otherwise the call fails', async () => {
    const { api } = deep()
    const lone = await reading([], api)
    const at = Date.parse(String(history[300]?.['created_at']))
    const missing = { cid, around: asMessageId('gone'), visit: 3 }
    expect(await lone.engine.handlers.channels.open({ ...missing, at }, lone.client)).toBeTruthy()
    await expect(lone.engine.handlers.channels.open(missing, lone.client)).rejects.toMatchObject({
      code: 'message/gone',
    })
  })

  test('a message of another conversation is not in this one: that is said, and nothing moves', async () => {
    const { api } = deep()
    const lone = await reading([], api)
    api.on('GetMessage', () => ({ message: aWireMessage('other', 1, { cid: 'team:other' }) }))
    const before = shown(lone)?.ids
    const call = lone.engine.handlers.channels.open({ cid, around: asMessageId('other'), visit: 3 }, lone.client)
    await expect(call).rejects.toMatchObject({ code: 'message/elsewhere' })
    await lone.clock.settle()
    expect(shown(lone)?.ids).toEqual(before)
  })

  test('a message cached alone does not start the newest page', async () => {
    const { api } = deep()
    const lone = await reading([], api)
    api.on('GetPinnedMessages', () => ({ messages: [history[10]] }))
    await lone.engine.handlers.channels.openPinned({ cid }, lone.client)
    await lone.clock.settle()
    await lone.engine.handlers.channels.close({ cid }, lone.client)
    await lone.engine.handlers.channels.open({ cid }, lone.client)
    await lone.clock.settle()
    expect(shown(lone)?.ids[0]).toEqual(idOf(COUNT - 100))
    expect(shown(lone)?.gapsBefore).toEqual([])
  })
})

describe('the last of several navigations wins', () => {
  test('a page that arrives after the next jump moves nothing', async () => {
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

  test('nor one that arrives after returning to the newest, or after the list was closed', async () => {
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

  test('an older page of the previous place does not extend the new one', async () => {
    const { api } = deep()
    const lone = await reading([], api)
    const page = lone.engine.handlers.channels.page({ cid, direction: 'older' }, lone.client)
    await around(lone, 300, 1)
    await page
    await lone.clock.settle()
    expect(shown(lone)?.ids).toHaveLength(100)
  })
})

test('without a connection a place that is not cached is refused, and the list stays where it is', async () => {
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

test('a window has the cached messages of a channel before the call that opens it is answered', async () => {
  const { api } = deep()
  const lone = await aLoneEngine({ api })
  await lone.online()
  await lone.engine.handlers.channels.open({ cid }, lone.client)
  expect(shown(lone)?.ids).toHaveLength(25)
})

test('older messages that are wanted just as the newest arrive are all that the list would have opened with', async () => {
  const { api, arrives } = late()
  const lone = await reading([], api)
  expect(shown(lone)?.ids).toHaveLength(25)
  arrives()
  // They are stored, and windows are not told yet.
  await nextTurn()
  await lone.engine.handlers.channels.page({ cid, direction: 'older' }, lone.client)
  await lone.clock.settle()
  expect(shown(lone)?.ids).toEqual(history.slice(-100).map(({ id }) => id))
})

test('a list closed far from its end is cached at exactly that place', async () => {
  const { api } = deep()
  const lone = await reading([], api)
  await around(lone, 300, 1)
  await lone.clock.settle()
  await lone.engine.handlers.channels.close({ cid }, lone.client)
  await lone.clock.settle()
  expect(shown(lone)?.ids).toContain(idOf(300))
  const requests = api.to('GetOrCreateChannel').length
  await around(lone, 300, 2)
  await lone.clock.settle()
  expect(api.to('GetOrCreateChannel').length - requests).toBe(0)
  expect(shown(lone)?.landed?.visit).toBe(2)
})

describe('a channel opens at its first unread message', () => {
  /** Read up to this one; the list brought the newest 25, in which the server counted all after it. */
  const READ = 700
  const UNREAD = COUNT - READ - 1
  const read = [{ user: aWireUser('me'), last_read: history[READ]?.['created_at'], unread_messages: UNREAD }]

  function unreadChannel({ fails = false, beside = [] as readonly Record<string, unknown>[] } = {}) {
    const requests: Body['messages'][] = []
    const all = [...history.slice(0, READ + 1), ...beside, ...history.slice(READ + 1)]
    const api = withChannel(new FakeApi())
      .on('QueryChannels', () => ({ channels: [aWireChannelState(history.slice(-25), { read })] }))
      .on('GetMessage', ({ params }) => ({ message: history.find(({ id }) => id === params['id']) }))
      .on('GetOrCreateChannel', ({ body }) => {
        const { messages } = body as Body
        requests.push(messages)
        const { limit, created_at_around: time, id_around: id } = messages
        if (time === undefined && id === undefined) return aWireChannelState(history.slice(-limit), { read })
        if (fails) throw refused(500, -1)
        const at = all.findIndex(
          (one) => one['id'] === id || Date.parse(String(one['created_at'])) >= Date.parse(String(time)),
        )
        return aWireChannelState(all.slice(Math.max(0, at - limit / 2), at + limit / 2), { read })
      })
    return { api, asked: () => requests.filter(({ created_at_around: time }) => time !== undefined) }
  }

  async function online({ api }: ReturnType<typeof unreadChannel>): Promise<Lone> {
    const lone = await aLoneEngine({ api })
    await lone.online()
    await lone.clock.settle()
    return lone
  }

  const openUnread = async (lone: Lone, visit: number) => {
    const id = await lone.engine.handlers.channels.open({ cid, unread: true, visit }, lone.client)
    await lone.clock.settle()
    return id
  }
  const channel = (lone: Lone) => lone.replica.tables.channels?.[CID]

  test('also if only later ones are cached: the page around the mark is requested, once', async () => {
    const server = unreadChannel()
    const lone = await online(server)
    expect(channel(lone)?.unread).toEqual(UNREAD)
    expect(channel(lone)?.firstUnreadId).toBeUndefined()
    expect(await openUnread(lone, 4)).toBe(idOf(READ + 1))
    expect(server.asked()).toHaveLength(1)
    expect(shown(lone)?.landed).toEqual({ visit: 4, id: idOf(READ + 1), unread: 'first' })
    expect(shown(lone)).toMatchObject({ hasPrev: true, hasNext: true, gapsBefore: [] })
    expect(shown(lone)?.ids).toContain(idOf(READ))
    expect(channel(lone)?.unread).toEqual(UNREAD)
    expect(channel(lone)?.firstUnreadId).toEqual(idOf(READ + 1))
    await lone.engine.handlers.channels.close({ cid }, lone.client)
    expect(await openUnread(lone, 5)).toBe(idOf(READ + 1))
    expect(server.asked()).toHaveLength(1)
  })

  test('what is not counted after the mark is passed over', async () => {
    const beside = Array.from({ length: 5 }, (_, n) =>
      aWireMessage(`own${n}`, READ * 1_000 + 100 + n, { user: aWireUser('me') }),
    )
    const lone = await online(unreadChannel({ beside }))
    expect(await openUnread(lone, 1)).toBe(idOf(READ + 1))
    const many = Array.from({ length: 80 }, (_, n) =>
      aWireMessage(`own${String(n).padStart(2, '0')}`, READ * 1_000 + 100 + n, { user: aWireUser('me') }),
    )
    const other = await online(unreadChannel({ beside: many }))
    expect(await openUnread(other, 1)).toBe('own00')
  })

  test('without a connection or a response, at the first one that is cached, and the window says so', async () => {
    const away = await online(unreadChannel())
    await away.offline()
    for (const lone of [away, await online(unreadChannel({ fails: true }))]) {
      expect(await openUnread(lone, 2)).toBe(idOf(COUNT - 25))
      expect(shown(lone)?.landed).toEqual({ visit: 2, id: idOf(COUNT - 25), unread: 'held' })
      expect(channel(lone)?.firstUnreadId).toBeUndefined()
    }
  })

  test('where nothing is unread anymore it opens at its newest message', async () => {
    const { api } = deep()
    const lone = await reading([], api)
    await lone.engine.handlers.channels.markRead({ cid }, lone.client)
    await lone.clock.settle()
    expect(await openUnread(lone, 1)).toBeNull()
    expect(shown(lone)).toMatchObject({ hasNext: false })
    expect(shown(lone)?.landed).toBeUndefined()
  })

  test('a jump that is requested meanwhile wins', async () => {
    const server = unreadChannel()
    const lone = await online(server)
    const opening = lone.engine.handlers.channels.open({ cid, unread: true, visit: 1 }, lone.client)
    const jump = around(lone, 300, 2)
    await Promise.all([opening, jump])
    await lone.clock.settle()
    expect(shown(lone)?.landed).toEqual({ visit: 2, id: idOf(300) })
  })

  test('marked read and undone, it is unread from there again', async () => {
    const lone = await online(unreadChannel())
    lone.api.on('MarkChannelsRead', () => ({ event: { created_at: new Date(lone.clock.now()).toISOString() } }))
    lone.api.on('MarkUnread', () => ({}))
    await lone.engine.handlers.channels.markAllRead(undefined, lone.client)
    await lone.clock.settle()
    expect(await lone.engine.handlers.channels.undoRead({}, lone.client)).toBe(1)
    const [body] = lone.api.to('MarkUnread').map((call) => call.body as { message_timestamp: string })
    expect(Date.parse(body?.message_timestamp ?? '')).toBe(Date.parse(String(history[READ]?.['created_at'])))
  })
})
