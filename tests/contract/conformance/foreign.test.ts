import { describe, expect, test } from 'vitest'
import { refused } from './check.ts'
import { at, caller, connect, each, listAt, openSocket, sign, socketUrl, textAt, type Json } from './foreign.ts'
import { useStage } from './harness.ts'
import { ALLOWED_ORIGIN, must, type Stage } from './stage.ts'

/** Habits of other clients. See docs/wire.md 1.2 to 1.6, 2.1, 2.2, 9.2;. */
const held = useStage()

const url = (stage: Stage, path: string, query = ''): string =>
  `${stage.target.url}${path}?api_key=${encodeURIComponent(stage.target.apiKey)}${query}`

describe('the caller', () => {
  test.for([
    ['the bare token', (token: string) => ({ authorization: token, 'stream-auth-type': 'jwt' })],
    ['a token after the word Bearer', (token: string) => ({ Authorization: `Bearer ${token}` })],
    [
      'headers in any case',
      (token: string) => ({ AUTHORIZATION: token, 'Stream-Auth-Type': 'jwt', 'X-STREAM-CLIENT': 'x' }),
    ],
  ] as const)('%s is accepted, with and without user_id in the query', async ([_words, headersOf]) => {
    const { stage } = held
    const { userId } = await stage.person('ann')
    const headers = headersOf(sign({ user_id: userId }, stage.target.secret))
    for (const query of ['', `&user_id=${userId}`, '&user_id=null', '&user_id=']) {
      expect((await fetch(url(stage, '/unread', query), { headers })).status).toBe(200)
    }
  })

  test('extra claims of a token are ignored, and a user_id other than its own is refused', async () => {
    const { stage } = held
    const { userId } = await stage.person('ann')
    const token = sign({ user_id: userId, iat: 1_600_000_000, exp: 4_000_000_000, plan: 'gold' }, stage.target.secret)
    expect((await caller(stage.target, { userId, token }).get('/unread')).status).toBe(200)
    refused(await caller(stage.target, { userId: 'somebody-else', token }).get('/unread'), 401, 5)
  })

  test('a guest comes without a token, and comes back with the one they got', async () => {
    const { stage } = held
    const anonymous = caller(stage.target, { userId: '' })
    const made = await must(anonymous.post('/guest', { user: { id: stage.id('visitor'), name: 'Visitor' } }))
    const { id, role } = made['user'] as { readonly id: string; readonly role: string }
    expect(role).toBe('guest')
    expect(id.startsWith('guest-')).toBe(true)
    const line = await connect(stage.target, { userId: id, token: textAt(made, 'access_token') })
    expect(at(line.first, 'me.role')).toBe('guest')
    await line.close()
    await stage.server.post('/users/delete', { user_ids: [id], user: 'hard' })
  })

  test('the body of a user’s request names no one else, that of a server token does', async () => {
    const { stage } = held
    const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
    const room = await stage.channel({ as: ann, members: [bob] })
    const post = async (who: typeof ann, body: Json) =>
      at(await must(who.post(`${room.path}/message`, body)), 'message.user.id')
    expect(await post(ann, { message: { text: 'mine', user_id: bob.userId } })).toBe(ann.userId)
    expect(await post(ann, { message: { text: 'mine', user: { id: ann.userId } }, user: { id: ann.userId } })).toBe(
      ann.userId,
    )
    for (const body of [
      { message: { text: 'his', user_id: bob.userId } },
      { message: { text: 'his', user: { id: bob.userId } } },
      { message: { text: 'his' }, user_id: bob.userId },
      { message: { text: 'his' }, user: { id: bob.userId } },
    ]) {
      expect(await post(stage.server, body)).toBe(bob.userId)
    }
  })

  test('a thread read with the server token has no read states, while a user gets a list', async () => {
    const { stage } = held
    const ann = await stage.person('ann')
    const room = await stage.channel({ as: ann })
    const { id } = await stage.send(ann, room, 'question')
    await stage.send(ann, room, 'answer', { parent_id: id })
    const byServer = await must(stage.server.get(`/threads/${id}`))
    expect('read' in (byServer['thread'] as Json)).toBe(false)
    expect(Array.isArray(at(await must(ann.get(`/threads/${id}`)), 'thread.read'))).toBe(true)
  })
})

describe('pages of a browser', () => {
  test('an allowed origin may call, with every header that clients send', async ({ skip }) => {
    const { stage } = held
    skip(!stage.target.isLocal, 'which origins are allowed is the server owner’s')
    const headers = {
      origin: ALLOWED_ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,stream-auth-type,x-stream-client',
    }
    const preflight = await fetch(url(stage, '/channels'), { method: 'OPTIONS', headers })
    const allowed = (name: string): string => preflight.headers.get(`access-control-allow-${name}`) ?? ''
    expect(preflight.status).toBe(204)
    expect(await preflight.text()).toBe('')
    expect(allowed('origin')).toBe(ALLOWED_ORIGIN)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) expect(allowed('methods')).toContain(method)
    for (const name of [
      'Authorization',
      'Content-Type',
      'stream-auth-type',
      'X-Stream-Client',
      'x-client-request-id',
    ]) {
      expect(allowed('headers').toLowerCase()).toContain(name.toLowerCase())
    }
    expect(preflight.headers.get('access-control-max-age')).toBe('600')
    const answer = await fetch(url(stage, '/hi'), { headers: { origin: ALLOWED_ORIGIN } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN)
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Ratelimit-Remaining')
  })

  test('another origin is refused, and gets no data', async ({ skip }) => {
    const { stage } = held
    skip(!stage.target.isLocal, 'which origins are allowed is the server owner’s')
    const answer = await fetch(url(stage, '/hi'), { headers: { origin: 'https://elsewhere.example' } })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('forms of a query', () => {
  test('ids are separated by commas, in a list, or one by one', async () => {
    const { stage } = held
    const ann = await stage.person('ann')
    const room = await stage.channel({ as: ann })
    const ids = [(await stage.send(ann, room, 'one')).id, (await stage.send(ann, room, 'two')).id]
    const headers = { Authorization: sign({ user_id: ann.userId }, stage.target.secret) }
    for (const query of [
      `&ids=${ids.join(',')}`,
      `&ids=${encodeURIComponent(ids.join(','))}`,
      `&ids=${encodeURIComponent(JSON.stringify(ids))}`,
      `&ids=${ids[0]}&ids=${ids[1]}`,
    ]) {
      const answer = await fetch(url(stage, `${room.path}/messages`, query), { headers })
      expect(each(await answer.json(), 'messages', 'id')).toEqual(ids)
    }
  })

  test('pages of pinned messages are requested as payload or as plain parameters', async () => {
    const { stage } = held
    const ann = await stage.person('ann')
    const room = await stage.channel({ as: ann })
    for (const text of ['one', 'two', 'three']) await stage.send(ann, room, text, { pinned: true })
    const texts = async (query: Json) =>
      each(await must(ann.get(`${room.path}/pinned_messages`, query)), 'messages', 'text')
    const sort = [{ field: 'pinned_at', direction: -1 }]
    expect(await texts({ payload: { limit: 2, sort } })).toEqual(['three', 'two'])
    expect(await texts({ limit: 2, sort })).toEqual(['three', 'two'])
  })

  test('null, undefined and an empty value count as absent', async () => {
    const { stage } = held
    const ann = await stage.person('ann')
    const room = await stage.channel({ as: ann })
    const { id } = await stage.send(ann, room, 'question')
    const reply = await stage.send(ann, room, 'answer', { parent_id: id })
    const query = { limit: 'null', id_lt: 'undefined', id_gt: '', created_at_around: null, connection_id: 'null' }
    expect(each(await must(ann.get(`/messages/${id}/replies`, query)), 'messages', 'id')).toEqual([reply.id])
    const deleted = await must(ann.delete(`/messages/${id}`, { hard: null, delete_for_me: 'undefined' }))
    expect(at(deleted, 'message.type')).toBe('deleted')
  })

  test('the options of a sync are read from its query or from its body', async () => {
    const { stage } = held
    const ann = await stage.person('ann')
    const unknown = `messaging:${stage.id('unknown')}`
    const body = { channel_cids: [unknown], last_sync_at: new Date(stage.target.now() - 60_000).toISOString() }
    const options = { with_inaccessible_cids: true }
    for (const answer of [
      ann.post('/sync', { ...body, ...options }),
      ann.post('/sync', body, { ...options, watch: false }),
    ]) {
      expect(at(await must(answer), 'inaccessible_cids')).toEqual([unknown])
    }
    expect(at(await must(ann.post('/sync', body)), 'inaccessible_cids')).toBeUndefined()
  })

  test('ids in a path are percent-encoded', async () => {
    const { stage } = held
    const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
    const made = await must(ann.post('/channels/messaging/query', { data: { members: [ann.userId, bob.userId] } }))
    const path = `/channels/messaging/${textAt(made, 'channel.id').replaceAll('!', '%21')}`
    expect(at(await must(ann.get(path)), 'channel.cid')).toBe(at(made, 'channel.cid'))
    const id = `${stage.id('message')} 50% ąę/ü?`
    await must(ann.post(`${path}/message`, { message: { id, text: 'odd' } }))
    expect(at(await must(ann.get(`/messages/${encodeURIComponent(id)}`)), 'message.text')).toBe('odd')
  })
})

describe('forms of a body', () => {
  test('a POST without a body is a POST', async () => {
    const { stage } = held
    const ann = await stage.person('ann')
    const room = await stage.channel({ as: ann })
    for (const path of [`${room.path}/read`, `${room.path}/hide`, `${room.path}/show`]) {
      expect((await ann.send({ method: 'POST', path })).status).toBe(201)
    }
  })

  test('custom data is sent flat, or in an object named custom, and returned flat', async () => {
    const { stage } = held
    const ann = await stage.person('ann')
    const room = await stage.channel({ as: ann, data: { custom: { color: 'green' }, shape: 'round' } })
    expect(at(await must(ann.get(room.path)), 'channel')).toMatchObject({ color: 'green', shape: 'round' })
    const message = await stage.send(ann, room, 'hello', { custom: { mood: 'good' } })
    expect(message['mood']).toBe('good')
    expect('custom' in message).toBe(false)
  })

  test('times are accepted with any fraction and any offset, and returned in UTC', async () => {
    const { stage } = held
    const ann = await stage.person('ann')
    const room = await stage.channel({ as: ann })
    const { id } = await stage.send(ann, room, 'do it')
    await must(ann.post(`/messages/${id}/reminders`, { remind_at: null }))
    for (const [given, instant] of [
      ['2035-06-01T12:00:00Z', '2035-06-01T12:00:00.000Z'],
      ['2035-06-01T12:00:00.5Z', '2035-06-01T12:00:00.500Z'],
      ['2035-06-01T14:00:00+02:00', '2035-06-01T12:00:00.000Z'],
      ['2035-06-01T12:00:00.123456789Z', '2035-06-01T12:00:00.123Z'],
    ]) {
      const changed = await must(ann.patch(`/messages/${id}/reminders`, { remind_at: given }))
      const remindAt = textAt(changed, 'reminder.remind_at')
      expect(new Date(remindAt).toISOString()).toEqual(instant)
      expect(remindAt.endsWith('Z')).toBe(true)
    }
  })

  test('a ban names its channel in two ways', async () => {
    const { stage } = held
    const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
    const room = await stage.channel({ as: ann, members: [bob] })
    const server = stage.serverAs(ann.userId)
    const target_user_id = bob.userId
    for (const scope of [{ type: room.type, id: room.id }, { channel_cid: room.cid }]) {
      await must(server.post('/moderation/ban', { target_user_id, ...scope }))
      refused(await bob.post(`${room.path}/message`, { message: { text: 'x' } }), 403, 17)
      await must(server.delete('/moderation/ban', { target_user_id, ...scope }))
      expect((await bob.post(`${room.path}/message`, { message: { text: 'x' } })).status).toBe(201)
    }
  })

  test.for([
    ['broken JSON', '{"message":', 'application/json', 400, 4],
    ['a list', '[1]', 'application/json', 400, 4],
    ['a text', '"x"', 'application/json; charset=utf-8', 400, 4],
    ['another type', '{}', 'text/plain', 400, 4],
  ] as const)('%s is refused in the contract’s own form', async ([_words, body, type, status, code]) => {
    const { stage } = held
    const { userId } = await stage.person('ann')
    const headers = { Authorization: sign({ user_id: userId }, stage.target.secret), 'Content-Type': type }
    const answer = await fetch(url(stage, '/channels'), { method: 'POST', headers, body })
    const reply = { status: answer.status, headers: answer.headers, body: (await answer.json()) as Json }
    refused(reply, status, code, /^QueryChannels failed with error: ".+"$/)
    expect(Object.keys(reply.body)).toEqual(expect.arrayContaining(['duration', 'more_info', 'details']))
  })

  test('a path that is not served is a 404 that names it', async () => {
    const { stage } = held
    for (const path of ['/channels/grouped', '/export_channels', '/nowhere']) {
      const answer = await stage.server.post(path, {})
      expect(answer.status).toBe(404)
      expect(answer.body['code']).toBe(16)
      const message = String(answer.body['message'])
      expect(stage.target.isLocal ? message : `${message} ${path}`).toContain(path)
    }
  })
})

describe('a websocket', () => {
  test('what a client may set about itself is stored, what only the server decides is not', async () => {
    const { stage } = held
    const { userId } = await stage.stranger({ name: 'Before', color: 'red' })
    const details = {
      name: 'After',
      role: 'admin',
      banned: true,
      created_at: '0001-01-01T00:00:00Z',
      updated_at: null,
      last_active: '',
      shoe_size: 43,
    }
    const line = await stage.connect(userId, details)
    expect(line.first['me']).toMatchObject({ name: 'After', role: 'user', banned: false, color: 'red', shoe_size: 43 })
    expect(textAt(line.first, 'me.created_at')).not.toMatch(/^0001/)
    await line.close()
  })

  test('a device sent along is registered', async () => {
    const { stage } = held
    const { userId } = await stage.stranger()
    const token = sign({ user_id: userId }, stage.target.secret)
    const address = new URL(socketUrl(stage.target, { userId, token }))
    const device = { id: stage.id('device'), push_provider: 'firebase' }
    address.searchParams.set('json', JSON.stringify({ user_id: userId, user_details: { id: userId }, device }))
    const { socket, first } = await openSocket(address.href)
    expect(each(first, 'me.devices', 'id')).toEqual([device.id])
    socket.close(1000)
    expect(each(await must(stage.as(userId).get('/devices')), 'devices', 'id')).toEqual([device.id])
  })

  test('a frame it cannot read does no harm, and unknown parameters are ignored', async () => {
    const { stage } = held
    const { userId } = await stage.stranger()
    const token = sign({ user_id: userId }, stage.target.secret)
    const address = `${socketUrl(stage.target, { userId, token })}&flavour=vanilla&user_token=x`
    const { socket, first, frames } = await openSocket(address)
    expect(first.type).toBe('health.check')
    for (const text of ['', 'x', '[]', '{}', '[null]', '{"type":"message.new"}', '[{"type":"other"}]'])
      socket.send(text)
    socket.send(Buffer.from([0, 1, 2]))
    socket.send('[{"type":"health.check","client_id":"x"}]')
    await new Promise((resolve) => socket.once('message', resolve))
    expect(frames.filter((frame) => frame.type === 'health.check').length).toBe(1)
    socket.close(1000)
  })

  test('counts and lists in the first frame are those of the user', async () => {
    const { stage } = held
    const [ann, bob] = [await stage.person('ann'), await stage.stranger()]
    const room = await stage.channel({ as: ann, members: [bob] })
    await stage.send(ann, room, 'one')
    await must(
      bob.post('/moderation/mute/channel', { channel_cid: (await stage.channel({ as: ann, members: [bob] })).cid }),
    )
    await must(bob.post('/moderation/mute', { target_id: (await stage.person('cat')).userId }))
    await must(bob.post('/users/block', { blocked_user_id: (await stage.person('dan')).userId }))
    const line = await stage.connect(bob.userId)
    const { first } = line
    expect(first['me']).toMatchObject({ total_unread_count: 1, unread_count: 1, unread_channels: 1, unread_threads: 0 })
    const lengths = ['mutes', 'channel_mutes', 'blocked_user_ids', 'devices'].map(
      (name) => listAt(first, `me.${name}`).length,
    )
    expect(lengths).toEqual([1, 1, 1, 0])
    await line.close()
  })
})
