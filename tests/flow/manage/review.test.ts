import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReviewItem } from '#shared/domain/manage/review.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { createWorld, type World } from '#kit/world.ts'

/** `olga` and `jonas` administer (`olga` has the API secret), `mo` moderates the app, the others are members. */

let world: World
beforeAll(async () => {
  world = await createWorld({
    people: ['olga', 'jonas', 'mo', 'bob', 'carol'],
    channels: ['general', 'gear'],
    withSecret: ['olga', 'jonas'],
  })
  await world.asServer('POST', '/users', {
    users: {
      olga: { id: 'olga', role: 'admin' },
      jonas: { id: 'jonas', role: 'admin' },
      mo: { id: 'mo', role: 'moderator' },
    },
  })
  await world.pass(5_000)
})
afterAll(() => world.stop())

const ui = (who: string) => world.person(who).ui
const manage = (who: string) => world.person(who).replica.get('manage', 'self')
const changes = (who: string) => manage(who)?.changes ?? {}
const code = (work: Promise<unknown>) => world.done(work).catch((error: { code: string }) => error.code)
const send = async (who: string, id: string, text: string, channel = 'general') => {
  await world.as(who, 'POST', `/channels/team/${channel}/message`, { message: { id, text } })
}
const itemAbout = async (wanted: Partial<ReviewItem>): Promise<ReviewItem> => {
  const { items } = await world.done(ui('mo').review.list({}))
  const found = items.find((item) => Object.entries(wanted).every(([key, value]) => item[key as 'id'] === value))
  if (!found) throw new Error('not in the queue')
  return found
}
const sameText = (who: string, messageId: string, text: string) =>
  world.done(ui(who).review.sameText({ messageId: asMessageId(messageId), text }))

test('other messages with the same text are found, whatever the case and the marks, and gathered in the queue', async () => {
  await send('bob', 's1', 'Buy maps here!')
  await send('bob', 's2', 'BUY maps, here', 'gear')
  await send('carol', 's3', 'buy maps here', 'gear')
  await send('carol', 's4', 'buy maps here tomorrow', 'gear')
  await world.as('carol', 'POST', '/moderation/flag', { target_message_id: 's1', reason: 'spam' })
  await world.pass(2_000)
  const found = await sameText('mo', 's1', 'Buy maps here!')
  expect(found).toMatchObject({ where: 'server' })
  expect(found?.copies.map(({ id, cid, userId, itemId }) => [id, cid, userId, itemId])).toEqual([
    ['s3', 'team:gear', 'carol', undefined],
    ['s2', 'team:gear', 'bob', undefined],
  ])
  const messageIds = found?.copies.map(({ id }) => id) ?? []
  const { ids } = await world.done(ui('mo').review.gather({ messageIds, reason: 'spam' }))
  const gathered = await world.done(ui('mo').review.items({ ids: [...ids] }))
  expect(
    gathered.map(({ messageId, reports }) => [messageId, reports.map(({ byId, reason }) => [byId, reason])]),
  ).toEqual(
    expect.arrayContaining([
      ['s2', [['mo', 'spam']]],
      ['s3', [['mo', 'spam']]],
    ]),
  )
  expect((await world.done(ui('mo').review.gather({ messageIds, reason: 'spam' }))).ids).toHaveLength(2)
  expect((await itemAbout({ messageId: asMessageId('s2') })).reports).toHaveLength(1)
})

test('a deleted copy is not found, and nothing is searched for without a word', async () => {
  await world.as('carol', 'DELETE', '/messages/s3')
  await world.pass(2_000)
  const found = await sameText('mo', 's1', 'Buy maps here!')
  expect(found?.copies.map(({ id }) => id)).toEqual(['s2'])
  expect(await sameText('mo', 's1', '!!!')).toBeNull()
})

test('without a connection this device is searched', async () => {
  await world.done(ui('mo').channels.open({ cid: asCid('team:gear') }))
  await world.pass(3_000)
  world.person('mo').link.down()
  await world.pass(2_000)
  const found = await sameText('mo', 's1', 'Buy maps here!')
  expect(found).toMatchObject({ where: 'device', copies: [{ id: 's2', userId: 'bob' }] })
  expect(found?.copies.every(({ itemId }) => itemId === undefined)).toBe(true)
  expect(await code(ui('mo').review.gather({ messageIds: [asMessageId('s2')] }))).toBe('network/offline')
  world.person('mo').link.up()
  await world.pass(15_000)
})

test('whoever does not moderate searches for nothing and gathers nothing', async () => {
  const messageId = asMessageId('s1')
  expect(await code(ui('bob').review.sameText({ messageId, text: 'Buy maps here!' }))).toBe('manage/not-allowed')
  expect(await code(ui('bob').review.gather({ messageIds: [messageId] }))).toBe('manage/not-allowed')
})

test('a reported profile is shown as it was and as it is now', async () => {
  const rename = (name: string, image: string) =>
    world.as('bob', 'PATCH', '/users', { users: [{ id: 'bob', set: { name, image } }] })
  await rename('Rude name', 'https://pics.example/rude.png')
  await world.as('carol', 'POST', '/moderation/flag', { target_user_id: 'bob', reason: 'other: rude name' })
  await world.pass(1_000)
  const reported = await itemAbout({ subject: 'person' })
  expect(reported).toMatchObject({ authorId: 'bob', text: '', profile: { name: 'Rude name' } })
  expect(reported.profile?.changed).toEqual({ name: false, picture: false })
  await rename('Bob', 'https://pics.example/bob.png')
  await world.pass(1_000)
  const { profile } = await itemAbout({ subject: 'person' })
  expect(profile).toMatchObject({ name: 'Rude name', changed: { name: true, picture: true } })
  expect(profile?.picture).toMatch(/^profile\/[\w-]+\.\w+$/)
  // The window has a reference; the address stays in main.
  expect(JSON.stringify(profile)).not.toContain('pics.example')
})

test('the author’s card names bans that are over: who, why, for how long', async () => {
  const place = { type: 'team', id: 'general' }
  await world.as('mo', 'POST', '/moderation/ban', { ...place, target_user_id: 'bob', reason: 'reklama', timeout: 60 })
  await world.as('mo', 'DELETE', '/moderation/ban?target_user_id=bob&type=team&id=general')
  await world.pass(1_000)
  const author = await world.done(ui('mo').review.author({ userId: asUserId('bob') }))
  expect(author.bans).toEqual([])
  expect(author.pastBans).toMatchObject([
    { what: 'unban', byId: 'mo', cid: 'team:general' },
    { what: 'ban', byId: 'mo', cid: 'team:general', reason: 'reklama', seconds: 3_600, shadow: false },
  ])
})

test('what one administrator changes in rules and lists reaches the other at once, and no one else', async () => {
  const before = { jonas: changes('jonas').rules ?? 0, mo: changes('mo').rules ?? 0 }
  const rule = {
    name: 'No maps',
    enabled: true,
    conditions: [{ kind: 'words' as const, words: ['maps'] }],
    action: 'flag' as const,
  }
  const saved = await world.done(ui('olga').rules.save({ rule }))
  await world.pass(100)
  expect(changes('jonas').rules).toBe(before.jonas + 1)
  const list = { name: 'ads', kind: 'word' as const, words: ['promo'] }
  await world.done(ui('olga').rules.saveList({ list }))
  await world.pass(100)
  expect(changes('jonas').rules).toBe(before.jonas + 2)
  expect(changes('mo').rules ?? 0).toBe(before.mo)
  expect(manage('bob')).toBeUndefined()
  const seen = await world.done(ui('jonas').rules.list())
  expect(seen.rules.map(({ name }) => name)).toContain('No maps')
  await world.done(
    ui('olga').rules.save({ rule: { ...rule, id: saved.id, name: 'Still none' }, version: saved.version }),
  )
  const mine = { rule: { ...rule, id: saved.id, name: 'Mine' }, version: saved.version }
  expect(await code(ui('jonas').rules.save(mine))).toBe('rules/changed')
  expect(await code(ui('jonas').rules.remove({ id: saved.id, version: saved.version }))).toBe('rules/changed')
  expect((await world.done(ui('jonas').rules.list())).rules.map(({ name }) => name)).toContain('Still none')
})

test('a group that one makes, changes or deletes is loaded again by the other', async () => {
  const version = () => changes('jonas').people ?? 0
  const steps = [
    () => ui('olga').groups.create({ id: 'guides', name: 'Guides' }),
    () => ui('olga').groups.change({ id: 'guides', name: 'All guides' }),
    () => ui('olga').groups.addMembers({ id: 'guides', memberIds: [asUserId('bob')], admin: false }),
    () => ui('olga').groups.removeMembers({ id: 'guides', memberIds: [asUserId('bob')] }),
    () => ui('olga').groups.remove({ id: 'guides' }),
  ]
  for (const step of steps) {
    const before = version()
    await world.done<unknown>(step())
    await world.pass(100)
    expect(version()).toBeGreaterThan(before)
  }
})
