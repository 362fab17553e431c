import { describe, expect, test } from 'vitest'
import { asCid, type MessageId } from '#shared/lib/brand.ts'
import { open, reading, send, echoing, type Lone, type SentBody } from '#kit/lone-talk.ts'
import {
  aLoneEngine,
  at,
  aWireChannelState,
  aWireMessage,
  aWireUser,
  CID,
  FakeApi,
  failing,
  refused,
  withChannel,
} from '#kit/lone-engine.ts'

const cid = asCid(CID)

const outboxOf = (lone: Lone) =>
  Object.values(lone.replica.tables.outbox ?? {}).map(({ kind, state, reason }) => [kind, state, reason?.code])

describe('sending', () => {
  test('a message written offline is shown as queued, and sent once after reconnecting', async () => {
    const lone = await reading()
    await lone.offline()
    await send(lone, 'hello')
    expect(lone.replica.texts(CID)).toEqual(['m1', 'hello (queued)'])
    await lone.online()
    expect(lone.replica.texts(CID)).toEqual(['m1', 'hello'])
    expect(lone.api.to('SendMessage')).toHaveLength(1)
    expect(lone.log.filter((line) => line.level === 'error')).toEqual([])
  })

  test('an accepted message survives a crash and is sent with the same id', async () => {
    const first = await reading()
    await first.offline()
    const id = await send(first, 'hello')
    await first.engine.stop()
    const second = await aLoneEngine({ folder: first.folder, api: first.api, seed: 2 })
    await open(second)
    expect(second.replica.texts(CID)).toEqual(['m1', 'hello (queued)'])
    await second.online()
    expect(second.replica.texts(CID)).toEqual(['m1', 'hello'])
    expect(second.api.to('SendMessage').map((call) => (call.body as SentBody).message.id)).toEqual([id])
  })

  test('an echo that arrives before the response shows the message once, as confirmed', async () => {
    const lone = await reading()
    let answer: (value: unknown) => void = () => {}
    lone.api.on('SendMessage', () => new Promise((resolve) => (answer = resolve)))
    const id = await send(lone, 'hello')
    expect(lone.replica.texts(CID)).toEqual(['m1', 'hello (sending)'])
    const message = aWireMessage(id, 5_000, { text: 'hello', user: aWireUser('me') })
    await lone.hear({ type: 'message.new', cid: CID, created_at: at(5_000), user: aWireUser('me'), message })
    expect(lone.replica.texts(CID)).toEqual(['m1', 'hello'])
    answer({ message })
    await lone.clock.settle()
    expect(lone.replica.texts(CID)).toEqual(['m1', 'hello'])
    expect(outboxOf(lone)).toEqual([])
  })

  test('messages of one user keep their order within one millisecond', async () => {
    const lone = await reading()
    await lone.offline()
    for (const text of ['a', 'b', 'c', 'd']) await send(lone, text)
    expect(lone.replica.texts(CID)).toEqual(['m1', 'a (queued)', 'b (queued)', 'c (queued)', 'd (queued)'])
    await lone.online()
    await lone.clock.advance(5_000)
    expect(lone.replica.texts(CID)).toEqual(['m1', 'a', 'b', 'c', 'd'])
    expect(lone.api.to('SendMessage').map((call) => (call.body as SentBody).message.text)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('a rejected message is parked with its reason, and later ones are sent', async () => {
    const lone = await reading()
    let calls = 0
    lone.api.on('SendMessage', ({ body }) => {
      calls += 1
      if (calls === 1) throw refused(403, 17)
      const { id, text } = (body as SentBody).message
      return { message: aWireMessage(id, 9_000, { text, user: aWireUser('me') }) }
    })
    await send(lone, 'no')
    await send(lone, 'yes')
    expect(lone.replica.texts(CID)).toEqual(['m1', 'no (failed)', 'yes'])
    expect(outboxOf(lone)).toEqual([['send-message', 'parked', 'server/not-allowed']])
  })

  test('a text that moderation removes is parked as it was written, not shown as its response', async () => {
    const lone = await reading()
    const answer = {
      type: 'error',
      text: 'Message was blocked by moderation policies',
      moderation: { action: 'remove' },
    }
    lone.api.on('SendMessage', ({ body }) => ({
      message: aWireMessage((body as SentBody).message.id, 9_000, { ...answer, user: aWireUser('me') }),
    }))
    await send(lone, 'a listed word')
    expect(lone.replica.texts(CID)).toEqual(['m1', 'a listed word (failed)'])
    expect(outboxOf(lone)).toEqual([['send-message', 'parked', 'message/blocked']])
  })

  test('a retryable failure blocks the channel and is retried later', async () => {
    const lone = await reading()
    let failures = 2
    const echo = echoing(new FakeApi())
    lone.api.on('SendMessage', (call) => {
      failures -= 1
      if (failures >= 0) throw failing({ kind: 'answer', status: 503 })
      return echo.send({ operation: 'SendMessage' } as never, call as never)
    })
    await send(lone, 'one')
    await send(lone, 'two')
    expect(lone.replica.texts(CID)).toEqual(['m1', 'one (sending)', 'two (sending)'])
    await lone.clock.advance(30_000)
    expect(lone.replica.texts(CID)).toEqual(['m1', 'one', 'two'])
  })

  test('"already exists" counts as sent only when the message is ours, with the same text', async () => {
    const lone = await reading()
    lone.api.on('SendMessage', () => {
      throw refused(400, 4, 'a message with this id already exists')
    })
    lone.api.on('GetMessage', ({ params }) => ({
      message: aWireMessage(params['id'] ?? '', 5_000, { text: 'mine', user: aWireUser('me') }),
    }))
    await send(lone, 'mine')
    await send(lone, 'other')
    expect(lone.replica.texts(CID)).toEqual(['m1', 'mine', 'other (failed)'])
  })

  test('a blank message is refused and nothing is stored', async () => {
    const lone = await reading()
    await expect(send(lone, ' ** ')).rejects.toMatchObject({ code: 'composer/empty' })
    expect(outboxOf(lone)).toEqual([])
  })
})

describe('changing unsent messages', () => {
  test('an edit is merged into the unsent message', async () => {
    const lone = await reading()
    await lone.offline()
    const id = await send(lone, 'helo')
    await lone.engine.handlers.messages.edit({ messageId: id, text: 'hello', mentionedUserIds: [] }, lone.client)
    await lone.online()
    expect(lone.replica.texts(CID)).toEqual(['m1', 'hello'])
    expect(lone.api.to('UpdateMessage')).toEqual([])
  })

  test('deleting an unsent message cancels it with everything about it', async () => {
    const lone = await reading()
    await lone.offline()
    const id = await send(lone, 'oops')
    await lone.engine.handlers.messages.toggleReaction({ messageId: id, type: 'like' }, lone.client)
    await lone.engine.handlers.messages.delete({ messageId: id }, lone.client)
    await lone.online()
    expect(lone.replica.texts(CID)).toEqual(['m1'])
    expect(outboxOf(lone)).toEqual([])
    expect(lone.api.to('SendMessage')).toEqual([])
  })

  test('a reaction added and removed offline sends nothing to the server', async () => {
    const lone = await reading()
    await lone.offline()
    const toggle = { messageId: 'm1' as MessageId, type: 'like' }
    await lone.engine.handlers.messages.toggleReaction(toggle, lone.client)
    await lone.clock.settle()
    expect(lone.replica.messages(`timeline:${CID}`)[0]?.reactions.map(({ type, own }) => [type, own])).toEqual([
      ['like', true],
    ])
    await lone.engine.handlers.messages.toggleReaction(toggle, lone.client)
    await lone.online()
    expect(lone.replica.messages(`timeline:${CID}`)[0]?.reactions).toEqual([])
    expect(lone.api.to('SendReaction')).toEqual([])
  })

  test('a canceled message is removed from the outbox and returns its text', async () => {
    const lone = await reading()
    await lone.offline()
    const id = await send(lone, 'wait')
    const back = await lone.engine.handlers.outbox.takeBack({ id }, lone.client)
    await lone.clock.settle()
    expect(back.text).toBe('wait')
    expect(lone.replica.texts(CID)).toEqual(['m1'])
  })
})

describe('receiving', () => {
  const newMessage = (id: string, ms: number, fields = {}) => ({
    type: 'message.new',
    cid: CID,
    created_at: at(ms),
    user: aWireUser('ana'),
    message: aWireMessage(id, ms, fields),
  })

  test('one invalid event does not affect the batch', async () => {
    const lone = await reading()
    await lone.hear({ type: 'message.new', cid: CID, created_at: 5, message: 'nonsense' }, newMessage('m2', 2_000))
    expect(lone.replica.texts(CID)).toEqual(['m1', 'm2'])
  })

  test('repeated and reordered events change nothing', async () => {
    const lone = await reading()
    const events = [newMessage('m3', 3_000), newMessage('m2', 2_000), newMessage('m3', 3_000)]
    await lone.hear(...events)
    await lone.hear(...events.toReversed())
    expect(lone.replica.texts(CID)).toEqual(['m1', 'm2', 'm3'])
    expect(lone.replica.tables.channels?.[CID]?.unread).toBe(3)
  })

  test('all events of one turn are sent to the window as one change-set', async () => {
    const lone = await reading()
    const before = lone.replica.received
    await lone.hear(newMessage('m2', 2_000), newMessage('m3', 3_000), newMessage('m4', 4_000))
    expect(lone.replica.received).toBe(before + 1)
  })

  test('only counters arrive for a channel that is not open', async () => {
    const lone = await reading()
    await lone.engine.handlers.channels.close({ cid }, lone.client)
    await lone.clock.settle()
    await lone.hear(newMessage('m2', 2_000))
    expect(lone.replica.tables.messages).toEqual({})
    expect(lone.replica.tables.channels?.[CID]?.unread).toBe(2)
  })

  test('typing is shown and removed after seven seconds', async () => {
    const lone = await reading()
    await lone.hear({ type: 'typing.start', cid: CID, created_at: at(1), user: aWireUser('ana') })
    expect(lone.replica.tables.typing?.[CID]?.people).toEqual([{ id: 'ana', name: 'ana' }])
    await lone.clock.advance(6_999)
    expect(lone.replica.tables.typing?.[CID]?.people).toEqual([{ id: 'ana', name: 'ana' }])
    await lone.clock.advance(1)
    expect(lone.replica.tables.typing?.[CID]).toBeUndefined()
  })

  test('a message deleted permanently is removed from the window', async () => {
    const lone = await reading([aWireMessage('m1', 1), aWireMessage('m2', 2)])
    const message = aWireMessage('m2', 2, { type: 'deleted' })
    await lone.hear({ type: 'message.deleted', cid: CID, created_at: at(9), hard_delete: true, message })
    expect(lone.replica.texts(CID)).toEqual(['m1'])
    expect(Object.keys(lone.replica.tables.messages ?? {})).toEqual(['m1'])
  })
})

describe('people', () => {
  test('who share no channel with the viewer are fetched on request, and stay available without a connection', async () => {
    const lone = await reading()
    const people = () => lone.engine.handlers.channels.people(undefined, lone.client)
    lone.api.on('QueryUsers', () => ({ users: [aWireUser('eva')] }))
    expect(await people()).toEqual(expect.arrayContaining(['ana', 'eva', 'me']))
    await lone.clock.settle()
    expect(lone.replica.tables.users?.['eva']).toMatchObject({ id: 'eva' })
    lone.api.on('QueryUsers', () => Promise.reject(refused(403, 17)))
    expect(await people()).toContain('eva')
    await lone.offline()
    expect(await people()).toContain('eva')
    expect(lone.api.to('QueryUsers')).toHaveLength(2)
  })
})

describe('reading', () => {
  test('AGR-16 marking read is shown at once and sent at most once a second, including the last mark', async () => {
    const lone = await reading()
    lone.api.on('MarkRead', () => ({}))
    const newMessage = (id: string, ms: number) => ({
      type: 'message.new',
      cid: CID,
      created_at: at(ms),
      message: aWireMessage(id, ms),
    })
    const mark = () => lone.engine.handlers.channels.markRead({ cid }, lone.client)
    await mark()
    await lone.clock.settle()
    expect(lone.replica.tables.channels?.[CID]?.unread).toBe(0)
    for (const [id, ms] of [
      ['m2', 2_000],
      ['m3', 3_000],
    ] as const) {
      await lone.hear(newMessage(id, ms))
      await mark()
    }
    expect(lone.api.to('MarkRead')).toHaveLength(1)
    await lone.clock.advance(1_000)
    expect(lone.api.to('MarkRead').map((call) => call.body)).toEqual([{ message_id: 'm1' }, { message_id: 'm3' }])
    expect(lone.replica.tables.channels?.[CID]?.unread).toBe(0)
  })

  test('a channel read offline is marked after reconnecting, and nothing is unread meanwhile', async () => {
    const lone = await reading()
    await lone.offline()
    await lone.engine.handlers.channels.markRead({ cid }, lone.client)
    await lone.clock.settle()
    expect(lone.replica.tables.channels?.[CID]?.unread).toBe(0)
    lone.api.on('MarkRead', () => ({}))
    await lone.online()
    expect(lone.api.to('MarkRead')).toHaveLength(1)
  })
})

describe('windows', () => {
  const history = Array.from({ length: 250 }, (_, index) => aWireMessage(`m${String(index).padStart(3, '0')}`, index))
  type Query = { messages: { limit: number; id_lt?: string; id_around?: string } }

  function paged() {
    const api = echoing(withChannel(new FakeApi()))
    return api
      .on('QueryChannels', () => ({ channels: [aWireChannelState(history.slice(-25))] }))
      .on('GetOrCreateChannel', ({ body }) => {
        const { limit, id_lt: before, id_around: around } = (body as Query).messages
        const end = before === undefined ? history.length : history.findIndex((each) => each['id'] === before)
        const middle = history.findIndex((each) => each['id'] === around)
        const page =
          around === undefined
            ? history.slice(Math.max(0, end - limit), end)
            : history.slice(middle - Math.floor(limit / 2), middle + Math.ceil(limit / 2))
        return aWireChannelState(page)
      })
      .on('GetMessage', ({ params }) => {
        const message = history.find((each) => each['id'] === params['id'])
        if (!message) throw refused(404, 16)
        return { message }
      })
  }
  const ids = (lone: Lone) => lone.replica.windows.get(`timeline:${CID}`)?.ids ?? []
  const older = async (lone: Lone) => {
    await lone.engine.handlers.channels.page({ cid, direction: 'older' }, lone.client)
    await lone.clock.settle()
  }

  test('an opened channel shows its newest hundred messages', async () => {
    const lone = await reading([], paged())
    expect(ids(lone).length).toBe(100)
    expect(ids(lone)[0]).toBe('m150')
    expect(ids(lone).at(-1)).toBe('m249')
    expect(lone.replica.windows.get(`timeline:${CID}`)).toMatchObject({ hasPrev: true, hasNext: false, gapsBefore: [] })
  })

  test('paging back reaches the beginning without missing or repeated messages', async () => {
    const lone = await reading([], paged())
    for (let turn = 0; turn < 10; turn += 1) await older(lone)
    expect(ids(lone)).toEqual(history.map((each) => each['id']))
    expect(lone.replica.windows.get(`timeline:${CID}`)?.hasPrev).toBe(false)
  })

  test('a jump to an old message shows it with its neighbors, and can be reversed', async () => {
    const lone = await reading([], paged())
    await lone.engine.handlers.channels.open({ cid, around: 'm050' as MessageId }, lone.client)
    await lone.clock.settle()
    expect(ids(lone)).toContain('m050')
    expect(lone.replica.windows.get(`timeline:${CID}`)).toMatchObject({ hasPrev: true, hasNext: true, gapsBefore: [] })
    await lone.engine.handlers.channels.open({ cid }, lone.client)
    await lone.clock.settle()
    expect(ids(lone).at(-1)).toBe('m249')
  })

  test('a jump to a deleted message fails', async () => {
    const lone = await reading([], paged())
    const jump = lone.engine.handlers.channels.open({ cid, around: 'nowhere' as MessageId }, lone.client)
    await expect(jump).rejects.toMatchObject({ code: 'message/gone' })
  })

  test('messages missed while offline are in their place after reconnecting', async () => {
    const api = echoing(withChannel(new FakeApi(), history.slice(0, 30)))
    const lone = await reading([], api)
    await lone.offline()
    withChannel(api)
    const all = paged()
    for (const operation of ['QueryChannels', 'GetOrCreateChannel'])
      api.on(operation, (call) => all.send({ operation } as never, call as never))
    await lone.online()
    expect(ids(lone)).toEqual(history.map((each) => each['id']))
    expect(lone.replica.windows.get(`timeline:${CID}`)?.gapsBefore).toEqual([])
  })

  test('a cold start shows the cache before any request', async () => {
    const first = await reading([], paged())
    await first.engine.stop()
    const second = await aLoneEngine({ folder: first.folder })
    second.replica.take(second.engine.attach('w1', { lastChannel: cid }))
    expect(second.api.calls).toEqual([])
    expect(ids(second).length).toBe(100)
    expect(second.replica.windows.get('channels')?.ids).toEqual([CID])
    expect(second.replica.messages(`timeline:${CID}`)).toHaveLength(100)
  })
})
