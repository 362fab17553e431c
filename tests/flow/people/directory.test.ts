import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EngineClient } from '#shared/bridge/index.ts'
import { asUserId, type UserId } from '#shared/lib/brand.ts'
import { createWorld, type World } from '#kit/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ people: ['olga', 'bob', 'carol', 'erin'], channels: ['general'], owner: 'olga' })
})
afterAll(() => world.stop())

const olga = () => world.person('olga')
const bob = asUserId('bob')
const code = (work: Promise<unknown>) =>
  world.done(work).then(
    () => 'ok',
    (error: { code: string }) => error.code,
  )
type Query = Partial<Parameters<EngineClient['directory']['list']>[0]>
const list = (query: Query = {}) =>
  world.done(olga().ui.directory.list({ sort: { by: 'name', direction: 1 }, ...query }))
const names = async (query: Query = {}) => (await list(query)).people.map(({ name }) => name)
const person = (userId: UserId) => world.done(olga().ui.directory.person({ userId }))
const changes = () => olga().replica.get('manage', 'self')?.changes.people ?? 0

test('the owner administers people; an ordinary person may not even ask', async () => {
  expect(olga().replica.get('manage', 'self')).toMatchObject({
    source: 'owner',
    rights: expect.arrayContaining(['people']) as unknown,
  })
  expect(world.person('bob').replica.get('manage', 'self')).toBeUndefined()
  const { directory, groups } = world.person('bob').ui
  const refused = [
    directory.list({ sort: { by: 'name', direction: 1 } }),
    directory.person({ userId: bob }),
    directory.create({ name: 'Eve' }),
    directory.change({ userId: bob, role: 'admin' }),
    directory.remove({ userIds: [asUserId('carol')], user: 'hard' }),
    directory.issueToken({ userId: bob, forMs: 86_400_000 }),
    groups.list({}),
    groups.create({ name: 'x' }),
  ]
  expect(await Promise.all(refused.map(code))).toEqual(refused.map(() => 'manage/not-allowed'))
})

test('a person is created with role, teams and an id made from the name, joins the public channels, and is found', async () => {
  const before = changes()
  const created = olga().ui.directory.create({
    name: 'Łucja Żak',
    role: 'moderator',
    teams: ['Kraków', 'QA'],
    join: true,
  })
  const { userId } = await world.done(created)
  expect(userId).toMatch(/^lucja-zak-/)
  expect(changes()).toBeGreaterThan(before)
  const { people } = await list({ find: 'łucja' })
  expect(people).toMatchObject([{ id: userId, name: 'Łucja Żak', role: 'moderator', teams: ['Kraków', 'QA'] }])
  await world.pass(2_000)
  expect(olga().channel(world.cid)?.memberCount).toBe(5)
  expect(await code(olga().ui.directory.create({ name: 'Other', id: userId }))).toBe('people/taken')
  expect(await names({ teams: ['QA'] })).toEqual(['Łucja Żak'])
  expect(await names({ roles: ['moderator'] })).toEqual(['Łucja Żak'])
  expect(await names({ roles: ['admin', 'moderator'], sort: { by: 'name', direction: -1 } })).toEqual([
    'Łucja Żak',
    'olga',
  ])
})

test('name, role, teams, language and custom fields are changed, and the other person’s window shows it', async () => {
  const change = (input: Omit<Parameters<EngineClient['directory']['change']>[0], 'userId'>) =>
    world.done(olga().ui.directory.change({ userId: bob, ...input }))
  await change({ name: 'Bob B.', role: 'moderator', language: 'pl', fields: { region: 'Алматы', beta: true, n: 7 } })
  await world.pass(1_000)
  expect(olga().replica.get('users', 'bob')).toMatchObject({ name: 'Bob B.', role: 'moderator' })
  expect(world.person('bob').replica.get('manage', 'self')?.rights).toContain('review')
  expect((await person(bob)).person).toMatchObject({
    language: 'pl',
    fields: { region: 'Алматы', beta: true, n: 7 },
  })
  const changed = await change({ language: '', fields: { n: { json: '{"deep":[1]}' } }, removeFields: ['beta'] })
  expect(changed.language).toBeUndefined()
  expect(changed.fields).toEqual({ region: 'Алматы', n: { json: '{"deep":[1]}' } })
  expect(await code(olga().ui.directory.change({ userId: bob, fields: { n: { json: '{' } } }))).toBe('people/not-json')
  await change({ role: 'user', name: 'bob' })
})

test('fields of the contract are no custom fields, and the viewer keeps their own role', async () => {
  for (const name of ['role', 'a.b', 'revoke_tokens_issued_before']) {
    expect(await code(olga().ui.directory.change({ userId: bob, fields: { [name]: 'x' } }))).toBe(
      'bridge/invalid-input',
    )
  }
  expect(await code(olga().ui.directory.change({ userId: asUserId('olga'), role: 'user' }))).toBe('people/yourself')
})

test('a hostile name stays text, on one line', async () => {
  await world.done(olga().ui.directory.create({ id: 'eve', name: '\u202E<b>Eve</b>\n' + 'x'.repeat(40) }))
  const [eve] = (await list({ find: 'eve' })).people
  expect(eve?.name).toContain('<b>Eve</b>')
  expect(eve?.name).not.toMatch(/[\u202E\n]/)
  await world.done(olga().ui.directory.remove({ userIds: [asUserId('eve')], user: 'hard' }))
})

test('who is deactivated loses the connection, is listed as such, and comes back with their messages', async () => {
  const { ui } = world.person('carol')
  await world.done(ui.messages.send({ cid: world.cid, text: 'before I go' }))
  await world.pass(2_000)
  await olga().open(world.cid)
  await world.pass(1_000)
  const carol = asUserId('carol')
  const done = await world.done(olga().ui.directory.deactivate({ userIds: [carol], deleteMessages: true }))
  expect(done.refused).toEqual([])
  await world.pass(30_000)
  expect(world.person('carol').account.engine.connection().state).not.toBe('healthy')
  expect(olga().texts(world.cid)).not.toContain('before I go')
  expect(await names({ state: 'deactivated' })).toEqual(['carol'])
  expect(await names({ state: 'active' })).not.toContain('carol')
  expect(await names()).toContain('carol')
  expect(await code(olga().ui.directory.issueToken({ userId: carol, forMs: 86_400_000 }))).toBe('people/inactive')
  const back = await world.done(olga().ui.directory.reactivate({ userIds: [carol, bob], restoreMessages: true }))
  expect(back.refused).toEqual([{ userId: 'bob', code: expect.stringMatching(/^server\//) as unknown }])
  await world.pass(2_000)
  expect(await names({ state: 'deactivated' })).toEqual([])
})

test('nobody deactivates or deletes themselves, and the others are not spared by it', async () => {
  await world.done(olga().ui.directory.create({ id: 'dan', name: 'dan' }))
  const ids = ['olga', 'dan'].map(asUserId)
  const self = { userId: 'olga', code: 'people/yourself' }
  expect(await world.done(olga().ui.directory.deactivate({ userIds: ids }))).toEqual({ refused: [self] })
  expect(await world.done(olga().ui.directory.changeRole({ userIds: ids, role: 'user' }))).toEqual({ refused: [self] })
  expect(await world.done(olga().ui.directory.remove({ userIds: ids, user: 'soft' }))).toEqual({
    refused: [self],
    running: false,
  })
  expect(await names({ state: 'deleted' })).toEqual(['dan'])
  expect((await person(asUserId('dan'))).person.deletedAt).toBeGreaterThan(0)
  await world.done(olga().ui.directory.restore({ userIds: [asUserId('dan')] }))
  expect(await names({ state: 'deleted' })).toEqual([])
  expect(await names({ find: 'dan' })).toEqual(['dan'])
})

test('a deletion for good leaves nothing, and gives channels to a new owner', async () => {
  const made = world.done(world.person('bob').ui.channels.create({ name: 'Bobs', isPrivate: false, memberIds: [] }))
  const cid = await made
  const gone = { userIds: [bob], user: 'hard', messages: 'hard', newOwnerId: asUserId('olga') } as const
  expect(await world.done(olga().ui.directory.remove(gone))).toEqual({ refused: [], running: false })
  const owner = world.server.services.db.get<{ created_by: string }>(
    'SELECT created_by FROM channels WHERE cid = ?',
    cid,
  )
  expect(owner?.created_by).toBe('olga')
  expect(await code(olga().ui.directory.person({ userId: bob }))).toBe('people/gone')
})

test('a token signs its person in until everything is signed out', async () => {
  const carol = asUserId('carol')
  const { token, url, apiKey } = await world.done(olga().ui.directory.issueToken({ userId: carol, forMs: 86_400_000 }))
  const status = () =>
    world.server.request({
      method: 'GET',
      url: `${url}/unread?api_key=${apiKey}&user_id=carol`,
      headers: { authorization: token, 'stream-auth-type': 'jwt' },
    }).status
  expect(status()).toBe(200)
  await world.pass(2_000)
  await world.done(olga().ui.directory.signOut({ userId: carol }))
  expect(status()).toBe(401)
  const shown = JSON.stringify([olga().replica, olga().account.engine.diagnostics()])
  expect(shown).not.toContain(token)
})

test('who is signed out everywhere loses the connection', async () => {
  const state = () => world.person('erin').account.engine.connection().state
  expect(state()).toBe('healthy')
  await world.done(olga().ui.directory.signOut({ userId: asUserId('erin') }))
  await world.pass(30_000)
  expect(state()).not.toBe('healthy')
})

test('everything of a person is exported', async () => {
  const { text } = await world.done(olga().account.engine.exportedPerson(asUserId('carol')))
  expect(JSON.parse(text)).toMatchObject({
    kind: 'parlor-person',
    version: 1,
    user: { id: 'carol' },
    messages: [{ text: 'before I go' }],
    reactions: [],
  })
  expect(await code(world.person('carol').account.engine.exportedPerson(asUserId('olga')))).toBe('network/offline')
})

test('roles are those of people, with the server’s own', async () => {
  expect(await world.done(olga().ui.directory.roles())).toEqual(['user', 'admin', 'moderator', 'guest'])
})

test('a group is created, renamed, filled, given admins, and deleted', async () => {
  const { groups } = olga().ui
  const made = await world.done(groups.create({ id: 'crew', name: 'Crew', description: 'Who hikes' }))
  expect(made).toMatchObject({ id: 'crew', name: 'Crew', description: 'Who hikes', members: [] })
  expect(await code(groups.create({ id: 'crew', name: 'Other' }))).toBe('groups/taken')
  await world.done(groups.change({ id: 'crew', name: 'Hikers' }))
  const members = ['carol', 'olga'].map(asUserId)
  await world.done(groups.addMembers({ id: 'crew', memberIds: members }))
  await world.done(groups.addMembers({ id: 'crew', memberIds: [asUserId('carol')], admin: true }))
  const { groups: found } = await world.done(groups.list({ find: 'hik' }))
  expect(found).toMatchObject([
    {
      name: 'Hikers',
      members: [
        { userId: 'carol', admin: true },
        { userId: 'olga', admin: false },
      ],
    },
  ])
  await world.done(groups.removeMembers({ id: 'crew', memberIds: [asUserId('olga')] }))
  expect((await world.done(groups.list({}))).groups[0]?.members).toEqual([{ userId: 'carol', admin: true }])
  await world.done(groups.remove({ id: 'crew' }))
  expect((await world.done(groups.list({}))).groups).toEqual([])
})

test('without a connection every call says so', async () => {
  olga().link.down()
  await world.pass(20_000)
  const { directory, groups } = olga().ui
  const calls = [directory.roles(), directory.signOut({ userId: bob }), groups.list({})]
  expect(await Promise.all(calls.map(code))).toEqual(calls.map(() => 'network/offline'))
  olga().link.up()
})
