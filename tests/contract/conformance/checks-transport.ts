import { expect } from 'vitest'
import { eventually, refused, type Checks } from './check.ts'
import { at, each, listAt, openSocket, sign, socketUrl, textAt, type Frame } from './foreign.ts'
import { must, openStage, openTarget, type Channel, type Stage } from './stage.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export function fileForm(
  name: string,
  type: string,
  bytes: Uint8Array<ArrayBuffer> = new TextEncoder().encode('hello'),
): FormData {
  const form = new FormData()
  form.append('file', new Blob([bytes], { type }), name)
  return form
}

export const pictureForm = (name: string): FormData => fileForm(name, 'image/png', new Uint8Array(PNG))

/** A channel where locations are enabled, whatever the server's default. */
const locationRoom = (stage: Stage): Promise<Channel> =>
  stage.channel({ data: stage.target.isLocal ? {} : { config_overrides: { shared_locations: true } } })

/** Checks 34 to 42: locations, events, uploads, administration, connections. */
export const transportChecks: Checks = {
  34: {
    async run(stage) {
      const ann = await stage.person('ann')
      const room = await locationRoom(stage)
      const end_at = new Date(stage.target.now() + 3_600_000).toISOString()
      const place = { latitude: 52.2297, longitude: 21.0122, created_by_device_id: 'phone', end_at }
      const sent = await stage.send(ann, room, '', { shared_location: place })
      expect(sent['shared_location']).toMatchObject({ latitude: 52.2297, longitude: 21.0122, message_id: sent.id })
      const moved = { message_id: sent.id, created_by_device_id: 'phone', latitude: 0, longitude: -0.5 }
      const answer = await ann.put('/users/live_locations', moved)
      expect(answer.status).toBe(201)
      expect(answer.body).toMatchObject({ message_id: sent.id, latitude: 0, longitude: -0.5, user_id: ann.userId })
      const active = await must(ann.get('/users/live_locations'))
      expect(each(active, 'active_live_locations', 'message_id')).toContain(sent.id)
      await must(ann.put('/users/live_locations', { ...moved, end_at: new Date(stage.target.now()).toISOString() }))
      const left = await must(ann.get('/users/live_locations'))
      expect(each(left, 'active_live_locations', 'message_id')).not.toContain(sent.id)
    },
  },
  35: {
    async run(stage) {
      const [ann, bob, cat] = [await stage.person('ann'), await stage.person('bob'), await stage.person('cat')]
      const room = await stage.channel({ members: [bob, cat] })
      const message = { text: 'for you', restricted_visibility: [bob.userId], user_id: ann.userId }
      const sent = await must(stage.serverAs(ann.userId).post(`${room.path}/message`, { message }))
      expect(at(sent, 'message.restricted_visibility')).toEqual([bob.userId])
      const sees = async (who: typeof ann) =>
        each(await must(who.post(`${room.path}/query`, { state: true })), 'messages', 'text')
      expect(await sees(bob)).toEqual(['for you'])
      expect(await sees(cat)).toEqual([])
    },
  },
  36: {
    async run(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel()
      const { id } = await stage.send(ann, room, 'hello')
      const typing = await ann.post(`${room.path}/event`, { event: { type: 'typing.start' } })
      expect(typing.status).toBe(201)
      expect(typing.body['event']).toMatchObject({ type: 'typing.start', cid: room.cid, user: { id: ann.userId } })
      const custom = await must(
        ann.post(`${room.path}/event`, { event: { type: 'lights', level: 3, deep: { a: [1] } } }),
      )
      expect(custom['event']).toMatchObject({ type: 'lights', level: 3, deep: { a: [1] } })
      const read = await must(ann.post(`${room.path}/read`, {}))
      expect(read['event']).toMatchObject({
        type: 'message.read',
        cid: room.cid,
        user: { id: ann.userId },
        last_read_message_id: id,
      })
    },
  },
  37: {
    async run(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel()
      for (const [kind, form] of [
        ['file', fileForm('notes-of-today.txt', 'text/plain')],
        ['image', pictureForm('holiday.png')],
      ] as const) {
        const path = `${room.path}/${kind}`
        const answer = await ann.send({ method: 'POST', path, form })
        expect(answer.status).toBe(201)
        const url = textAt(answer.body, 'file')
        expect(url).toMatch(/^https?:/)
        expect(url).toContain(kind === 'file' ? 'notes-of-today.txt' : 'holiday.png')
        expect((await fetch(url)).status).toBe(200)
        expect((await ann.delete(path, { url })).status).toBe(200)
        // Another server may still respond.
        expect(stage.target.isLocal ? (await fetch(url)).status : 404).toBe(404)
      }
    },
  },
  38: {
    async run(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel()
      const { id } = await stage.send(ann, room, 'one')
      for (const text of ['two', 'three']) await must(ann.post(`/messages/${id}`, { message: { id, text } }))
      const query = { filter: { message_id: id }, sort: [] }
      const history = await must(stage.server.post('/messages/history', query))
      expect(each(history, 'message_history', 'text')).toEqual(['two', 'one'])
    },
  },
  39: {
    async run(stage) {
      const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
      const { server } = stage
      const id = stage.id('campaign')
      const input = {
        id,
        name: 'News',
        sender_id: ann.userId,
        message_template: { text: 'hello' },
        user_ids: [bob.userId],
        channel_template: { type: 'messaging' },
        create_channels: true,
      }
      const path = `/campaigns/${id}`
      const scheduled_for = new Date(stage.target.now() + 86_400_000).toISOString()
      const answers = [
        await server.post('/campaigns', input),
        await server.get(path),
        await server.put(path, { ...input, name: 'Other news' }),
        await server.post(`${path}/start`, { scheduled_for }),
        await server.post(`${path}/stop`),
      ]
      expect(answers.map((answer) => [answer.status, at(answer.body, 'campaign.status')])).toEqual([
        [201, 'draft'],
        [200, 'draft'],
        [201, 'draft'],
        [201, 'scheduled'],
        [201, 'stopped'],
      ])
      expect(at(answers[2]?.body, 'campaign.name')).toBe('Other news')
      expect((await server.delete(path)).status).toBe(200)
      refused(await server.get(path), 404, 16)
    },
  },
  40: {
    async run(stage) {
      const ann = await stage.stranger()
      const socket = await stage.connect(ann.userId, { name: 'Ann' })
      expect(socket.first).toMatchObject({ type: 'health.check', me: { id: ann.userId, name: 'Ann' } })
      for (const name of ['mutes', 'channel_mutes', 'devices']) expect(at(socket.first, `me.${name}`)).toEqual([])
      await socket.settle()
      await socket.settle()
      const pongs = socket.frames.filter((frame) => frame.type === 'health.check')
      expect(pongs.length).toBe(2)
      for (const pong of pongs) {
        expect(pong['connection_id']).toEqual(socket.connectionId)
        expect('me' in pong).toBe(false)
      }
      await refusedHandshake(stage)
      if (stage.target.isLocal) await restart()
    },
  },
  41: {
    needs: 21_000,
    async run(stage) {
      const ann = await stage.stranger()
      const room = await stage.channel({ as: ann })
      const json = { user_id: ann.userId, user_details: { id: ann.userId } }
      const opened = await must(ann.get('/longpoll', { json }))
      expect(opened['event']).toMatchObject({ type: 'health.check', me: { id: ann.userId, mutes: [], devices: [] } })
      const connection_id = textAt(opened, 'event.connection_id')
      await must(ann.post(`${room.path}/query`, { watch: true, state: true }, { connection_id }))
      const received: unknown[] = []
      const poll = async () => must(ann.get('/longpoll', { connection_id }))
      const next = poll()
      await stage.send(ann, room, 'hello')
      received.push(...each(await next, 'events', 'type'))
      for (let tries = 0; tries < 5 && !received.includes('message.new'); tries += 1) {
        received.push(...each(await poll(), 'events', 'type'))
      }
      expect(received).toContain('message.new')
      const idle = async () => {
        const held = poll()
        // The server receives the request before its time moves on.
        await must(ann.get('/app'))
        await stage.target.pass(20_000)
        return each(await held, 'events', 'type')
      }
      // Events caused by the message may arrive a moment after it.
      const late = await idle()
      expect(late.length === 0 ? late : await idle()).toEqual([])
      expect((await ann.get('/longpoll', { connection_id, close: true })).status).toBe(200)
      refused(await ann.get('/longpoll', { connection_id }), 400, 46)
      refused(await ann.get('/longpoll', { connection_id: stage.id('unknown') }), 400, 46)
    },
  },
  42: {
    async run(stage) {
      const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
      const room = await stage.channel({ members: [bob] })
      const socket = await stage.connect(bob.userId)
      await must(socket.post(`${room.path}/query`, { watch: true, state: true }))
      const { id } = await stage.send(ann, room, 'like me')
      await must(ann.post(`/messages/${id}/reaction`, { reaction: { type: 'love' } }))
      await must(ann.put(`/messages/${id}`, { set: { text: 'like me more' } }))
      await must(ann.delete(`/messages/${id}/reaction/love`))
      const events: Frame[] = []
      await eventually(
        async () => events.push(...(await socket.takeEvents())),
        () => events.some((event) => event.type === 'reaction.deleted'),
      )
      const ofMessage = events.filter((event) => at(event, 'message.id') === id)
      expect(ofMessage.map((event) => event.type)).toEqual([
        'message.new',
        'reaction.new',
        'message.updated',
        'reaction.deleted',
      ])
      for (const event of ofMessage) {
        const own = listAt(event, 'message.own_reactions').filter((each) => at(each, 'user_id') !== bob.userId)
        expect(own.length, `${event.type}`).toEqual(stage.target.isLocal ? 0 : own.length)
      }
      const asBob = await must(bob.get(`/messages/${id}`))
      expect(listAt(asBob, 'message.own_reactions')).toEqual([])
    },
  },
}

/** A failed handshake: one frame with the error, then close 1000. See docs/wire.md 2.4. */
async function refusedHandshake(stage: Stage): Promise<void> {
  const { target } = stage
  const claims = { user_id: 'somebody' }
  const cases: readonly (readonly [string, number])[] = [
    [sign(claims, 'another secret that nobody gave out'), 43],
    [sign({ ...claims, exp: 1_000_000_000 }, target.secret), 40],
    [sign({ user_id: 'somebody-else' }, target.secret), 5],
  ]
  for (const [token, code] of cases) {
    const { socket, first } = await openSocket(socketUrl(target, { userId: 'somebody', token }))
    const closed = new Promise<number>((resolve) => socket.once('close', (value) => resolve(value)))
    expect(at(first, 'error')).toMatchObject({ code, StatusCode: 401 })
    // Another server may leave the closing to the client.
    expect(target.isLocal ? await closed : 1000).toBe(1000)
    socket.close()
  }
}

/** A stopping server closes with another code than 1000, or clients would not reconnect. */
async function restart(): Promise<void> {
  const target = await openTarget({})
  const stage = openStage(target)
  const ann = await stage.stranger()
  const socket = await stage.connect(ann.userId)
  const [code] = await Promise.all([socket.closed, target.stop()])
  expect([1001, 1011, 1012, 1013]).toContain(code)
}
