import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Standing } from '#shared/domain/manage/directory.ts'
import { asCid, asUserId, type Cid } from '#shared/lib/brand.ts'
import { createWorld, type World } from '#kit/world.ts'

/** Roles and rights, administered by `alice`, who has the API secret, and seen by the others. */

let world: World
beforeAll(async () => {
  world = await createWorld({
    people: ['alice', 'bob', 'carol'],
    channels: ['general', 'random'],
    withSecret: ['alice'],
    open: ['lobby'],
  })
})
afterAll(() => world.stop())

const roles = () => world.person('alice').ui.roles
const bob = asUserId('bob')
const code = (work: Promise<unknown>) => world.done(work).catch((error: { code: string }) => error.code)
const save = (changes: readonly { role: string; right: string; on: boolean }[], type = 'team') =>
  world.done(roles().save({ type, changes: [...changes] }))
const capabilities = (userId: string, cid: Cid = world.cid) => world.person(userId).channel(cid)?.capabilities ?? []

test('a right that is taken away is gone on the screen of those who had it, and comes back', async () => {
  const { ui } = world.person('bob')
  await ui.channels.open({ cid: world.cid })
  await world.pass(2_000)
  expect(capabilities('bob')).toContain('send-message')
  await save([{ role: 'channel_member', right: 'send-message', on: false }])
  await world.pass(3_000)
  expect(capabilities('bob')).not.toContain('send-message')
  expect(capabilities('bob')).toContain('send-reaction')
  await save([{ role: 'channel_member', right: 'send-message', on: true }])
  await world.pass(3_000)
  expect(capabilities('bob')).toContain('send-message')
})

test('two people who change different rights of one type keep both changes', async () => {
  const before = await world.done(roles().list())
  const notify = (table: typeof before) =>
    table.types
      .find(({ name }) => name === 'team')
      ?.grants['channel_member']?.filter((right) => right.startsWith('notify'))
  expect(notify(before)?.length).toBe(4)
  await save([{ role: 'channel_member', right: 'notify-here', on: false }])
  await save([{ role: 'channel_member', right: 'notify-group', on: false }])
  expect(notify(await world.done(roles().list()))?.toSorted()).toEqual(['notify-channel', 'notify-role'])
  await save([
    { role: 'channel_member', right: 'notify-here', on: true },
    { role: 'channel_member', right: 'notify-group', on: true },
  ])
})

test('administrators keep what is needed to run the workspace', async () => {
  await save([{ role: 'admin', right: 'update-channel-members', on: false }])
  const { types } = await world.done(roles().list())
  expect(types.find(({ name }) => name === 'team')?.grants['admin']).toContain('update-channel-members')
})

test('an own role starts with the rights of another, is given in a channel, and can be deleted', async () => {
  await world.done(roles().create({ name: 'trail-warden', like: 'channel_member' }))
  expect(await code(roles().create({ name: 'trail-warden', like: 'channel_member' }))).toBe('roles/exists')
  await save([{ role: 'trail-warden', right: 'delete-any-message', on: true }])
  const { ui } = world.person('alice')
  expect(await world.done(ui.channels.memberRoles())).toEqual(['channel_member', 'channel_moderator', 'trail-warden'])
  await world.done(world.person('alice').ui.channels.create({ name: 'Trails', isPrivate: false, memberIds: [bob] }))
  const cid = asCid(
    [...world.server.services.db.all<{ cid: string }>("SELECT cid FROM channels WHERE name = 'Trails'")][0]?.cid ?? '',
  )
  await world.pass(2_000)
  await world.person('bob').ui.channels.open({ cid })
  await world.pass(2_000)
  expect(capabilities('bob', cid)).not.toContain('delete-any-message')
  await world.done(ui.channels.assignRole({ cid, userId: bob, role: 'trail-warden' }))
  await world.pass(3_000)
  expect(capabilities('bob', cid)).toContain('delete-any-message')
  await world.done(roles().remove({ name: 'trail-warden' }))
  const { roles: left, types } = await world.done(roles().list())
  expect(left.map(({ name }) => name)).not.toContain('trail-warden')
  expect(types.every(({ grants }) => grants['trail-warden'] === undefined)).toBe(true)
  await world.pass(3_000)
  expect(capabilities('bob', cid)).not.toContain('delete-any-message')
  expect(capabilities('bob', cid)).toContain('send-message')
})

test('whoever has no right to change roles is refused, and so is everyone without a connection', async () => {
  expect(await code(world.person('bob').ui.roles.list())).toBe('manage/not-allowed')
  world.person('alice').link.down()
  await world.pass(10_000)
  expect(await code(roles().list())).toBe('network/offline')
  world.person('alice').link.up()
  await world.pass(30_000)
})

describe('what a person could do', () => {
  const can = ({ rights }: Standing) =>
    rights
      .filter((each) => each.can)
      .map(({ right }) => right)
      .filter((right) => right !== 'read-channel' && right !== 'create-channel')
  const own = async (userId: string, cid: Cid): Promise<readonly string[]> => {
    const [type, id] = cid.split(':')
    const state = (await world.as(userId, 'GET', `/channels/${type}/${id}`)) as {
      channel: { own_capabilities: readonly string[] }
    }
    return state.channel.own_capabilities.filter((name) => name !== 'slow-mode')
  }
  const standing = (userId: string, cid: Cid) => world.done(roles().standing({ userId: asUserId(userId), cid }))
  const server = (path: string, body: object) => world.asServer('POST', path, body)
  const patch = (set: object) => world.asServer('PATCH', '/channels/team/random', { set })

  const STATES: readonly (readonly [name: string, begin: () => unknown, end: () => unknown])[] = [
    ['as it is', () => undefined, () => undefined],
    ['frozen', () => patch({ frozen: true }), () => patch({ frozen: false })],
    ['slow', () => patch({ cooldown: 30 }), () => patch({ cooldown: 0 })],
    [
      'with its own features and grants',
      () =>
        patch({ config_overrides: { reactions: false, grants: { channel_member: ['read-channel', 'pin-message'] } } }),
      () => patch({ config_overrides: {} }),
    ],
    [
      'with someone banned',
      () => server('/moderation/ban', { target_user_id: 'bob', type: 'team', id: 'random', banned_by_id: 'alice' }),
      () => world.asServer('DELETE', '/moderation/ban?target_user_id=bob&type=team&id=random'),
    ],
    [
      'with someone banned everywhere',
      () => server('/moderation/ban', { target_user_id: 'carol', banned_by_id: 'alice' }),
      () => world.asServer('DELETE', '/moderation/ban?target_user_id=carol'),
    ],
    [
      'with a moderator',
      () => server('/channels/team/random', { add_moderators: ['bob'] }),
      () => server('/channels/team/random', { demote_moderators: ['bob'] }),
    ],
  ]

  test.each(STATES)('is what the server allows them: the channel %s', async (_name, begin, end) => {
    await begin()
    for (const userId of ['alice', 'bob', 'carol']) {
      for (const cid of ['team:general', 'team:random'].map(asCid)) {
        const found = await standing(userId, cid)
        expect(can(found).toSorted(), `${userId} in ${cid}`).toEqual((await own(userId, cid)).toSorted())
      }
    }
    await end()
  })

  test('says why not', async () => {
    await patch({ frozen: true })
    const found = await standing('bob', asCid('team:random'))
    expect(found).toMatchObject({ appRole: 'user', channelRole: 'channel_member', isCreator: false })
    expect(found.rights.find(({ right }) => right === 'send-message')).toEqual({
      right: 'send-message',
      can: false,
      why: 'frozen',
    })
    expect(found.rights.find(({ right }) => right === 'delete-channel')).toMatchObject({ can: false, why: 'role' })
    await patch({ frozen: false })
    expect(await code(roles().standing({ userId: asUserId('nobody-at-all'), cid: world.cid }))).toBe('server/not-found')
  })

  test('starts with finding the person and the channel', async () => {
    expect((await world.done(roles().find({ what: 'people', text: 'bo' }))).map(({ id }) => id)).toEqual(['bob'])
    expect((await world.done(roles().find({ what: 'channels', text: 'rand' }))).map(({ id }) => id)).toEqual([
      'team:random',
    ])
  })
})
