import { describe, expect, test } from 'vitest'
import { useStage } from './conformance/harness.ts'
import { at, caller, connect, each, listAt, sign, textAt, type Caller, type Json } from './conformance/foreign.ts'
import { must, openTarget } from './conformance/stage.ts'

/**
 * What other programs of the contract send, in the form they send it: raw requests, empty texts and `null` for unset
 * fields, flat custom data, parameters in the query or in the body.
 */
const held = useStage()
const server = (): Caller => held.stage.server
const body = (made: unknown): Json => made as Json

describe('empty values', () => {
  test('a channel is created whose members have no role', async () => {
    const { stage } = held
    const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
    const data = {
      members: [
        { user_id: ann.userId, channel_role: '' },
        { user_id: bob.userId, channel_role: '', user: null },
      ],
      created_by_id: ann.userId,
      team: '',
      filter_tags: null,
      config_overrides: null,
      colour: 'red',
    }
    const made = await must(
      server().post(`/channels/messaging/${stage.id()}/query`, { data, messages: {}, members: {} }),
    )
    expect(at(made, 'channel.colour')).toBe('red')
    expect(each(made, 'members', 'channel_role')).toEqual(['channel_member', 'channel_member'])
  })

  test('a search by conditions has an empty query beside them, and one by text empty conditions', async () => {
    const { stage } = held
    const ann = await stage.person('ann')
    const room = await stage.channel()
    const sent = await stage.send(ann, room, 'find me')
    const where = { filter_conditions: { cid: room.cid }, next: '', sort: [] }
    const conditions = { ...where, query: '', message_filter_conditions: { text: { $q: 'find' } } }
    const text = { ...where, query: 'find', message_filter_conditions: {} }
    for (const payload of [conditions, text]) {
      const found = await must(ann.get('/search', { payload }))
      expect(each(found, 'results', 'message.id')).toEqual([sent.id])
    }
  })
})

describe('an unknown user', () => {
  test('is created by the message that a server token sends in their name', async () => {
    const { stage } = held
    const room = await stage.channel()
    const id = stage.id('new')
    const sent = await must(server().post(`${room.path}/message`, { message: { text: 'hello', user_id: id } }))
    expect(at(sent, 'message.user.id')).toEqual(id)
    expect(at(sent, 'message.user.role')).toBe('user')
    const other = stage.id('new')
    const reaction = { type: 'like', user: { id: other } }
    const reacted = await must(server().post(`/messages/${textAt(sent, 'message.id')}/reaction`, { reaction }))
    expect(at(reacted, 'reaction.user.role')).toBe('user')
  })

  test('is not created by a refused call, by reading, or for a user token', async () => {
    const { stage } = held
    const room = await stage.channel()
    const id = stage.id('new')
    const known = async () =>
      listAt(await must(server().get('/users', { payload: { filter_conditions: { id } } })), 'users')
    await stage.serverAs(id).get('/users', { payload: { filter_conditions: {} } })
    await stage.serverAs(id).post('/messages/no-such-message/reaction', { reaction: { type: 'like' } })
    await stage.as(id).post(`${room.path}/message`, { message: { text: 'hello' } })
    expect(await known()).toEqual([])
  })
})

test('a file that a server token sends for an unknown user creates that user', async () => {
  const { stage } = held
  const room = await stage.channel()
  const id = stage.id('new')
  const form = new FormData()
  form.set('user', JSON.stringify({ id }))
  form.set('file', new Blob(['hello']), 'hello.txt')
  await must(server().send({ method: 'POST', path: `${room.path}/file`, form }))
  const found = await must(server().get('/users', { payload: { filter_conditions: { id } } }))
  expect(at(found, 'users.0.role')).toBe('user')
})

describe('a server token', () => {
  test('is marked by true or by "true"', async () => {
    const { stage } = held
    for (const claims of [{ server: true }, { server: 'true' }, { server: 'true', user_id: '' }]) {
      const token = sign(claims, stage.target.secret)
      await must(caller(stage.target, { userId: '', token }).get('/channeltypes'))
    }
    const noUser = await caller(stage.target, { userId: '', token: sign({}, stage.target.secret) }).get('/app')
    expect(noUser.status).toBe(401)
    expect(noUser.body['code']).toBe(5)
    expect(noUser.body['message']).toContain('the token names no user and is not a server token')
  })

  test('reads what belongs to each user', async () => {
    const { stage } = held
    const [ann, bob] = [await stage.stranger(), await stage.stranger()]
    const room = await stage.channel({ as: ann })
    await must(ann.post('/moderation/mute', { target_id: bob.userId }))
    await must(ann.post('/moderation/mute/channel', { channel_cid: room.cid }))
    await must(ann.post('/users/block', { blocked_user_id: bob.userId }))
    const payload = { filter_conditions: { id: ann.userId } }
    const read = async (who: Caller) => listAt(await must(who.get('/users', { payload })), 'users')[0]
    const shown = body(await read(server()))
    expect(each(shown, 'mutes', 'target.id')).toEqual([bob.userId])
    expect(each(shown, 'channel_mutes', 'channel.cid')).toEqual([room.cid])
    expect(shown['blocked_user_ids']).toEqual([bob.userId])
    expect(shown['privacy_settings']).toEqual({})
    expect(Object.keys(body(await read(bob)))).not.toContain('mutes')
    const both = { filter_conditions: { id: { $in: [ann.userId, bob.userId] } } }
    const page = listAt(await must(server().get('/users', { payload: both })), 'users').map(body)
    const ofBob = page.find((each) => each['id'] === bob.userId)
    expect(ofBob).toMatchObject({ mutes: [], channel_mutes: [], blocked_user_ids: [] })
    expect(page.find((each) => each['id'] === ann.userId)).toEqual(shown)
  })

  test('reads all capabilities of a role, and the capabilities that exist', async () => {
    const type = await must(server().get('/channeltypes/messaging'))
    const grants = body(type['grants'])
    for (const role of ['user', 'admin', 'guest', 'anonymous', 'channel_member', 'channel_moderator']) {
      expect(Array.isArray(grants[role]), role).toBe(true)
    }
    expect(grants['channel_member']).toEqual(expect.arrayContaining(['read-channel', 'send-message', 'pin-message']))
    expect(grants['channel_moderator']).toEqual(expect.arrayContaining(['delete-any-message']))
    expect(grants['user']).toEqual(['create-channel'])
    expect(Array.isArray(type['permissions'])).toBe(true)
    const all = await must(server().get('/channeltypes'))
    expect(at(all, 'channel_types.livestream.grants.anonymous')).toEqual(['read-channel', 'connect-events'])
  })

  test('reads limits in four groups', async () => {
    const limits = await must(server().get('/rate_limits', { endpoints: 'SendMessage,GetApp' }))
    for (const group of ['server_side', 'android', 'ios', 'web']) {
      expect(Object.keys(body(limits[group])).toSorted(), group).toEqual(['GetApp', 'SendMessage'])
      expect(Number(at(limits, `${group}.SendMessage.limit`))).toBeGreaterThan(0)
    }
    const web = await must(server().get('/rate_limits', { web: true, endpoints: 'SendMessage' }))
    expect(Object.keys(web).toSorted()).toEqual(['duration', 'web'])
  })

  test('stores the html and the mml it sends', async () => {
    const { stage } = held
    const room = await stage.channel()
    const ann = await stage.person('ann')
    const given = { html: '<p><b>bold</b></p>', mml: '<mml>card</mml>' }
    const sent = await must(
      stage.serverAs(ann.userId).post(`${room.path}/message`, { message: { text: '**bold**', ...given } }),
    )
    const id = textAt(sent, 'message.id')
    const read = body((await must(ann.get(`/messages/${id}`)))['message'])
    expect(read['html']).toEqual(given.html)
    expect(read['mml']).toEqual(given.mml)
    const own = await must(ann.post(`${room.path}/message`, { message: { text: 'x', html: '<script>' } }))
    expect(at(own, 'message.html')).toBe('<p>x</p>\n')
    const edited = await must(ann.put(`/messages/${id}`, { set: { text: 'plain' } }))
    expect(at(edited, 'message.html')).toBe('<p>plain</p>\n')
  })
})

describe('privacy settings', () => {
  test('are changed key by key, and seen by the user and by a server token', async () => {
    const { stage } = held
    const [ann, bob] = [await stage.stranger(), await stage.stranger()]
    const set = (settings: Json) => ({ users: [{ id: ann.userId, set: { privacy_settings: settings } }] })
    await must(ann.patch('/users', set({ typing_indicators: { enabled: false } })))
    const done = await must(ann.patch('/users', set({ read_receipts: { enabled: false } })))
    const both = { typing_indicators: { enabled: false }, read_receipts: { enabled: false } }
    expect(at(done, `users.${ann.userId}.privacy_settings`)).toEqual(both)
    const payload = { filter_conditions: { id: ann.userId } }
    const shown = async (who: Caller) => at(await must(who.get('/users', { payload })), 'users.0.privacy_settings')
    expect(await shown(server())).toEqual(both)
    expect(await shown(ann)).toEqual(both)
    expect(await shown(bob)).toBeUndefined()
  })
})

/** Objects that are changed in part, and how they are read again. */
type Kind = { readonly change: (part: Json) => Promise<Json>; readonly read: () => Promise<unknown> }

async function kinds(): Promise<Readonly<Record<string, Kind>>> {
  const { stage } = held
  const ann = await stage.person('ann')
  const room = await stage.channel()
  const sent = await stage.send(ann, room, 'parent')
  await stage.send(ann, room, 'reply', { parent_id: sent.id })
  const poll = textAt(await must(ann.post('/polls', { name: 'Lunch?', options: [{ text: 'Yes' }] })), 'poll.id')
  const user = ann.userId
  return {
    user: {
      change: (part) => must(ann.patch('/users', { users: [{ id: user, ...part }] })),
      read: async () => at(await must(ann.get('/users', { payload: { filter_conditions: { id: user } } })), 'users.0'),
    },
    channel: {
      change: (part) => must(ann.patch(room.path, part)),
      read: async () => at(await must(ann.get(room.path)), 'channel'),
    },
    member: {
      change: (part) => must(ann.patch(`${room.path}/member/${user}`, part)),
      read: async () => {
        const payload = { type: room.type, id: room.id, filter_conditions: { user_id: user } }
        return at(await must(ann.get('/members', { payload })), 'members.0')
      },
    },
    message: {
      change: (part) => must(ann.put(`/messages/${sent.id}`, part)),
      read: async () => at(await must(ann.get(`/messages/${sent.id}`)), 'message'),
    },
    thread: {
      change: (part) => must(ann.patch(`/threads/${sent.id}`, part)),
      read: async () => at(await must(ann.get(`/threads/${sent.id}`)), 'thread'),
    },
    poll: {
      change: (part) => must(ann.patch(`/polls/${poll}`, part)),
      read: async () => at(await must(ann.get(`/polls/${poll}`)), 'poll'),
    },
  }
}

test('a partial update reaches into objects by dotted paths, for everything that can be changed in part', async () => {
  for (const [kind, { change, read }] of Object.entries(await kinds())) {
    const colours = async () => [kind, at(await read(), 'look')]
    await change({ set: { look: { wall: 'red', door: { left: 'blue', right: 'green' } } }, unset: null })
    await change({
      set: { 'look.door.left': 'white', 'look.roof.tiles': 7 },
      unset: ['look.wall', 'look.no.such', 'none.at.all'],
    })
    expect(await colours()).toEqual([kind, { door: { left: 'white', right: 'green' }, roof: { tiles: 7 } }])
    await change({ set: null, unset: ['look.door'] })
    expect(await colours()).toEqual([kind, { roof: { tiles: 7 } }])
    await change({ set: { 'look.roof': 'flat' } })
    await change({ set: { 'look.roof.tiles': 8 }, unset: ['look.roof.tiles.red'] })
    expect(await colours()).toEqual([kind, { roof: { tiles: 8 } }])
    await change({ unset: ['look'] })
    expect(await colours()).toEqual([kind, undefined])
  }
})

test('a dotted path does not reach inherited properties', async () => {
  for (const [kind, { change, read }] of Object.entries(await kinds())) {
    await change({
      set: { '__proto__.polluted': 1, 'constructor.prototype.polluted': 1, 'look.__proto__.polluted': 1 },
    })
    expect(({} as Json)['polluted'], kind).toBeUndefined()
    expect(at(await read(), 'look.polluted'), kind).toBeUndefined()
  }
})

test('a cursor contains its sort: another sort beside it is ignored', async () => {
  const { stage } = held
  const ann = await stage.stranger()
  const room = await stage.channel({ as: ann })
  const ids: string[] = []
  for (const text of ['one', 'two', 'three']) {
    const sent = await stage.send(ann, room, text)
    await stage.send(ann, room, `reply to ${text}`, { parent_id: sent.id })
    await must(ann.post(`/messages/${sent.id}/reminders`, { remind_at: null }))
    await must(ann.post(`${room.path}/draft`, { message: { text, parent_id: sent.id } }))
    await must(ann.post('/polls', { name: text, options: [] }))
    ids.push(sent.id)
  }
  const lists = [
    ['/threads', 'threads', 'parent_message_id', 'created_at'],
    ['/reminders/query', 'reminders', 'message_id', 'created_at'],
    ['/drafts/query', 'drafts', 'parent_id', 'created_at'],
    ['/polls/query', 'polls', 'name', 'created_at'],
  ] as const
  for (const [path, name, key, field] of lists) {
    const sort = [{ field, direction: 1 }]
    const first = await must(ann.post(path, { sort, limit: 1, next: '', prev: '' }))
    const another = [{ field, direction: -1 }]
    const second = await must(ann.post(path, { sort: another, limit: 1, next: first['next'], prev: null }))
    const third = await must(ann.post(path, { sort: [], limit: 5, next: second['next'] }))
    const seen = [first, second, third].flatMap((page) => each(page, name, key))
    expect(seen, path).toEqual(name === 'polls' ? ['one', 'two', 'three'] : ids)
  }
  const payload = { filter_conditions: { cid: room.cid }, query: 'reply', limit: 2 }
  const found = await must(
    ann.get('/search', { payload: { ...payload, sort: [{ field: 'created_at', direction: 1 }] } }),
  )
  const rest = await must(ann.get('/search', { payload: { ...payload, next: found['next'] } }))
  expect([...each(found, 'results', 'message.text'), ...each(rest, 'results', 'message.text')]).toEqual([
    'reply to one',
    'reply to two',
    'reply to three',
  ])
})

test('users are listed newest first', async () => {
  const { stage } = held
  const mark = stage.id('mark')
  const ids = ['zoe', 'amy', 'lea'].map((name) => stage.id(name))
  for (const id of ids) await must(server().post('/users', { users: { [id]: { id, mark } } }))
  const found = await must(server().get('/users', { payload: { filter_conditions: { mark } } }))
  expect(each(found, 'users', 'id')).toEqual(ids.toReversed())
})

test('the history of a message names who wrote each version, and when', async () => {
  const { stage } = held
  const ann = await stage.person('ann')
  const mod = await stage.stranger({ role: 'admin' })
  const room = await stage.channel()
  const sent = await stage.send(ann, room, 'first', { mood: 'good' })
  await stage.target.pass(1_000)
  const second = await must(mod.put(`/messages/${sent.id}`, { set: { text: 'second' } }))
  await stage.target.pass(1_000)
  await must(ann.put(`/messages/${sent.id}`, { set: { text: 'third' } }))
  const read = await must(server().post('/messages/history', { filter: { message_id: sent.id }, sort: [] }))
  expect(
    listAt(read, 'message_history').map((entry) =>
      ['text', 'message_updated_by_id', 'message_updated_at', 'mood'].map((key) => at(entry, key)),
    ),
  ).toEqual([
    ['second', mod.userId, at(second, 'message.updated_at'), 'good'],
    ['first', ann.userId, sent['created_at'], 'good'],
  ])
})

test('a server token deletes a message for the user it names, in the query or in the body', async () => {
  const { stage } = held
  const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
  const room = await stage.channel({ members: [bob] })
  const forms = [
    { query: { delete_for_me: true, user_id: bob.userId } },
    { query: { delete_for_me: true, deleted_by: bob.userId } },
    { body: { delete_for_me: true, deleted_by: bob.userId } },
    { body: { delete_for_me: 'true', user: { id: bob.userId } } },
  ]
  for (const { query, body: sent } of forms) {
    const message = await stage.send(ann, room, 'gone for one')
    const headers: Record<string, string> = sent ? { 'Content-Type': 'application/json' } : {}
    const reply = await server().send({ method: 'DELETE', path: `/messages/${message.id}`, query, body: sent, headers })
    expect(reply.status).toBe(200)
    expect(at(reply.body, 'message.deleted_for_me')).toBe(true)
    const seen = async (who: Caller) => at(await must(who.get(`/messages/${message.id}`)), 'message.type')
    expect(await seen(ann)).toBe('regular')
    expect(await seen(bob)).toBe('deleted')
  }
})

describe('several deleted together', () => {
  const task = async (answer: Json) => await must(server().get(`/tasks/${textAt(answer, 'task_id')}`))

  test('reports the result for each channel', async () => {
    const { stage } = held
    const [one, two] = [await stage.channel(), await stage.channel()]
    const done = await must(
      server().post('/channels/delete', { cids: [one.cid, 'messaging:none', two.cid], hard_delete: true }),
    )
    const finished = await task(done)
    expect(finished['status']).toBe('completed')
    const result = body(finished['result'])
    expect(result[one.cid]).toEqual({ status: 'ok' })
    expect(result[two.cid]).toEqual({ status: 'ok' })
    expect(at(result['messaging:none'], 'status')).toBe('failed')
    expect(done['result']).toEqual(result)
  })

  test('reports the result for each user', async () => {
    const { stage } = held
    const [ann, bob] = [await stage.stranger(), await stage.stranger()]
    const none = stage.id('none')
    const ids = [ann.userId, none, bob.userId]
    for (const path of ['/users/deactivate', '/users/reactivate', '/users/delete', '/users/restore'] as const) {
      const done = await must(server().post(path, { user_ids: ids, user: 'soft', conversations: '' }))
      if (path === '/users/restore') continue
      const result = body((await task(done))['result'])
      expect(result[ann.userId], path).toEqual({ status: 'ok' })
      expect(result[bob.userId], path).toEqual({ status: 'ok' })
      expect(at(result[none], 'status'), path).toBe('failed')
    }
  })
})

describe('a ban', () => {
  const place = ['query', 'body'] as const
  const forms = [
    (cid: string) => ({ channel_cid: cid }),
    (cid: string) => ({ type: cid.split(':')[0], id: cid.split(':')[1] }),
  ]

  test.each(place.flatMap((where) => forms.map((form, at) => [where, at, form] as const)))(
    'is lifted by parameters in the %s, form %i',
    async (where, _at, form) => {
      const { stage } = held
      const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
      const room = await stage.channel({ members: [bob] })
      const bans = async () =>
        listAt(
          await must(
            server().get('/query_banned_users', { payload: { filter_conditions: { channel_cid: room.cid } } }),
          ),
          'bans',
        )
      for (const [method, path] of [
        ['DELETE', '/moderation/ban'],
        ['POST', '/api/v2/moderation/unban'],
      ] as const) {
        await must(
          stage.serverAs(ann.userId).post('/moderation/ban', { target_user_id: bob.userId, channel_cid: room.cid }),
        )
        expect((await bans()).length).toBe(1)
        const what = { target_user_id: bob.userId, created_by: ann.userId, ...form(room.cid) }
        const headers = { 'Content-Type': 'application/json' }
        const sent = where === 'query' ? { query: what, body: {} } : { body: what, headers }
        const reply = await server().send({ method, path, ...sent })
        expect(reply.status, method).toBeLessThan(300)
        expect((await bans()).length, method).toBe(0)
      }
    },
  )
})

test('flags of messages are filtered by author, by whether they were reviewed, by channel and team', async () => {
  const { stage } = held
  const [ann, bob] = [await stage.stranger(), await stage.stranger()]
  const team = stage.id('team')
  const room = await stage.channel({ as: ann, members: [bob], data: { team } })
  const sent = await stage.send(ann, room, 'flag me')
  await must(bob.post('/moderation/flag', { target_message_id: sent.id, target_user_id: '', reason: '' }))
  const ask = async (filter_conditions: Json) =>
    listAt(await must(server().get('/moderation/flags/message', { payload: { filter_conditions } })), 'flags').length
  expect(await ask({ user_id: ann.userId })).toBe(1)
  expect(await ask({ user_id: bob.userId })).toBe(0)
  expect(await ask({ user_id: { $in: [ann.userId] }, is_reviewed: false, channel_cid: room.cid, team })).toBe(1)
  expect(await ask({ user_id: ann.userId, is_reviewed: true })).toBe(0)
  expect(await ask({ team: 'another' })).toBe(0)
})

test('an active user cannot be activated', async () => {
  const { stage } = held
  const ann = await stage.stranger()
  const reply = await server().post(`/users/${ann.userId}/reactivate`, { restore_messages: null, name: '' })
  expect(reply.status).toBe(400)
  expect(reply.body['code']).toBe(4)
})

describe('a flag of the newer kind', () => {
  test('names a message or a user in the long form or the short', async () => {
    const { stage } = held
    const ann = await stage.stranger()
    const room = await stage.channel({ as: ann })
    for (const [entity_type, shown] of [
      ['stream:chat:v1:message', 'stream:chat:v1:message'],
      ['message', 'stream:chat:v1:message'],
      ['stream:user', 'stream:user'],
      ['user', 'stream:user'],
    ] as const) {
      const bob = await stage.stranger()
      const entity_id = shown === 'stream:user' ? bob.userId : (await stage.send(ann, room, 'hm')).id
      const sent = { entity_type, entity_id, entity_creator_id: '', reason: 'spam', custom: null }
      const flagged = await must(stage.serverAs(ann.userId).post('/api/v2/moderation/flag', sent))
      const queue = await must(server().post('/api/v2/moderation/review_queue', { filter: { entity_id }, sort: null }))
      expect(each(queue, 'items', 'entity_type'), entity_type).toEqual([shown])
      expect(each(queue, 'items', 'id'), entity_type).toEqual([flagged['item_id']])
    }
  })

  test('of a missing object is refused', async () => {
    const { stage } = held
    const ann = await stage.stranger()
    for (const [entity_type, status, code] of [
      ['message', 404, 16],
      ['stream:user', 404, 16],
      ['elephant', 400, 4],
    ] as const) {
      const sent = { entity_type, entity_id: 'none', reason: 'spam' }
      const reply = await ann.post('/api/v2/moderation/flag', sent)
      expect(reply.status, entity_type).toEqual(status)
      expect(reply.body['code'], entity_type).toEqual(code)
    }
  })
})

describe('custom names of an administrator', () => {
  test('of roles have letters of either case, digits and two punctuation marks, at most 64 of them', async () => {
    const { stage } = held
    const name = `${stage.id('Support-Lead').replaceAll('-', '_')}-A9`
    expect(at(await must(server().post('/roles', { name })), 'role.name')).toBe(name)
    for (const wrong of ['with space', 'ł', 'x'.repeat(65), '']) {
      const reply = await server().post('/roles', { name: wrong })
      expect(reply.status, wrong).toBe(400)
      expect(reply.body['code'], wrong).toBe(4)
    }
  })

  test('of permissions are stored, listed, changed and deleted', async () => {
    const { stage } = held
    const id = stage.id('perm')
    const condition = { 'subject.magic_custom_field': 'yes' }
    const input = { id, name: 'Pin what is ours', action: 'PinMessage', condition, description: '' }
    const made = body((await must(server().post('/permissions', input)))['permission'])
    expect(made['id']).toEqual(id)
    expect(made['name']).toBe('Pin what is ours')
    expect(made['action']).toBe('PinMessage')
    expect(made['condition']).toEqual(condition)
    expect(made['custom']).toBe(true)
    const changed = await must(
      server().put(`/permissions/${id}`, { id, name: 'Pin', action: 'PinMessage', condition: null }),
    )
    expect(at(changed, 'permission.name')).toBe('Pin')
    expect(at(changed, 'permission.condition')).toBeUndefined()
    const all = await must(server().get('/permissions'))
    expect(each(all, 'permissions', 'id')).toEqual(expect.arrayContaining([id, 'create-channel', 'read-channel']))
    await must(server().delete(`/permissions/${id}`))
    expect((await server().get(`/permissions/${id}`)).status).toBe(404)
  })

  test('of built-in permissions can be read', async () => {
    for (const id of ['create-channel', 'read-channel', 'send-message', 'pin-message']) {
      const read = await must(server().get(`/permissions/${id}`))
      expect(at(read, 'permission.id')).toEqual(id)
      expect(at(read, 'permission.custom')).toBe(false)
    }
  })
})

test('the first administrator is created by their own sign-in, and by no server token', async () => {
  const roles = async (written: object, ...comers: readonly string[]): Promise<unknown> => {
    const fresh = await openTarget({})
    const admin = caller(fresh, { userId: '', token: sign({ server: 'true' }, fresh.secret) })
    if (Object.keys(written).length > 0) await must(admin.post('/users', { users: written }))
    for (const userId of comers) {
      const line = await connect(fresh, { userId, token: sign({ user_id: userId }, fresh.secret) })
      await line.close()
    }
    const listed = await must(admin.get('/users', { payload: { filter_conditions: {}, sort: [] } }))
    await fresh.stop()
    return Object.fromEntries(listAt(listed, 'users').map((each) => [at(each, 'id'), at(each, 'role')]))
  }
  const bot = { bot: { id: 'bot', role: '' } }
  expect(await roles({}, 'owner', 'ann')).toEqual({ owner: 'admin', ann: 'user' })
  expect(await roles(bot, 'owner', 'ann')).toEqual({ bot: 'user', owner: 'admin', ann: 'user' })
  // A role that a server token wrote stays, and after the first sign-in no one becomes administrator by signing in.
  expect(await roles(bot, 'bot', 'ann')).toEqual({ bot: 'user', ann: 'user' })
  expect(await roles({ boss: { id: 'boss', role: 'admin' } }, 'ann')).toEqual({ boss: 'admin', ann: 'user' })
})

test('a local server does not run without its checks, and reports so', async () => {
  for (const key of ['disable_auth_checks', 'disable_permissions_checks']) {
    const reply = await server().patch('/app', { [key]: true })
    expect(reply.status).toBe(400)
    expect(reply.body['code']).toBe(4)
    expect(reply.body['message']).toContain('a local server never runs without')
    await must(server().patch('/app', { [key]: false }))
  }
})
