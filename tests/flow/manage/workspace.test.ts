import { afterAll, beforeAll, expect, test } from 'vitest'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { createWorld, type World } from '#kit/world.ts'

/** Channel types, commands, polls and limits, changed by `alice`, who has the API secret. */

let world: World
beforeAll(async () => {
  world = await createWorld({ people: ['alice', 'bob'], channels: ['general'], withSecret: ['alice'] })
})
afterAll(() => world.stop())

const ui = (userId = 'alice') => world.person(userId).ui
const workspace = () => ui().workspace
const code = (work: Promise<unknown>) => world.done(work).catch((error: { code: string }) => error.code)
const types = async () => new Map((await world.done(workspace().types())).map((type) => [type.name, type]))

test('a feature that is switched off is gone from the channels of the type at once', async () => {
  await ui('bob').channels.open({ cid: world.cid })
  await world.pass(2_000)
  expect(world.person('bob').channel(world.cid)?.capabilities).toContain('send-reaction')
  await world.done(workspace().changeType({ name: 'team', switches: { reactions: false }, maxLength: 200 }))
  await world.pass(3_000)
  expect(world.person('bob').channel(world.cid)?.capabilities).not.toContain('send-reaction')
  expect(world.person('bob').channel(world.cid)?.config.maxMessageLength).toBe(200)
  const team = (await types()).get('team')
  expect(team?.on).not.toContain('reactions')
  expect(team?.on).toContain('replies')
  await world.done(workspace().changeType({ name: 'team', switches: { reactions: true }, maxLength: 5_000 }))
})

test('our server offers only what it acts on', async () => {
  const team = (await types()).get('team')
  expect(team?.retention).toBeUndefined()
  expect(team?.switches).not.toContain('push_notifications')
  const limits = await world.done(workspace().limits())
  expect(limits.remindersInterval).toBeUndefined()
})

test('a type is created and deleted, but not while it has channels, and not one of the server', async () => {
  await world.done(workspace().createType({ name: 'forum' }))
  expect(await code(workspace().createType({ name: 'forum' }))).toBe('workspace/exists')
  await world.asServer('POST', '/channels/forum/one/query', { data: { created_by_id: 'alice' } })
  expect(await code(workspace().removeType({ name: 'forum' }))).toBe('workspace/in-use')
  await world.asServer('DELETE', '/channels/forum/one')
  await world.done(workspace().removeType({ name: 'forum' }))
  expect([...(await types()).keys()]).not.toContain('forum')
})

test('a command is created, offered in a type, changed and deleted', async () => {
  await world.done(workspace().saveCommand({ name: 'roll', description: 'Roll a die', args: '[sides]', isNew: true }))
  expect(await code(workspace().saveCommand({ name: 'roll', description: 'x', args: '', isNew: true }))).toBe(
    'workspace/exists',
  )
  await world.done(workspace().saveCommand({ name: 'roll', description: 'Roll two dice', args: '', isNew: false }))
  const { commands, runs } = await world.done(workspace().commands())
  expect(runs).toBe(false)
  expect(commands.find(({ name }) => name === 'roll')).toMatchObject({ description: 'Roll two dice', builtIn: false })
  expect(commands.find(({ name }) => name === 'ban')?.builtIn).toBe(true)
  await world.done(workspace().changeType({ name: 'team', commands: ['roll'] }))
  expect((await types()).get('team')?.commands).toEqual(['roll'])
  await world.done(workspace().changeType({ name: 'team', commands: ['all'] }))
  await world.done(workspace().removeCommand({ name: 'roll' }))
  expect((await world.done(workspace().commands())).commands.some(({ name }) => name === 'roll')).toBe(false)
})

test('limits of uploads reach everyone, and what is not changed stays', async () => {
  await world.done(workspace().changeLimits({ file: { maxBytes: 1_048_576, blockedExtensions: ['.exe'] } }))
  await world.done(workspace().changeLimits({ file: { blockedTypes: ['text/html'] }, guests: false }))
  const limits = await world.done(workspace().limits())
  expect(limits.file).toMatchObject({
    maxBytes: 1_048_576,
    blockedExtensions: ['.exe'],
    blockedTypes: ['text/html'],
  })
  expect(limits).toMatchObject({ guests: false, anonymous: false, uniqueNames: 'no', linkDays: 14 })
  const app = (await world.as('bob', 'GET', '/app')) as { app: { file_upload_config: { size_limit: number } } }
  expect(app.app.file_upload_config.size_limit).toBe(1_048_576)
})

test('the icon of the workspace reaches everyone, and only a picture is one', async () => {
  const icon = { base64: 'aWNvbg==', mime_type: 'image/png' }
  const seen = async () => ((await world.as('bob', 'GET', '/app')) as { app: { workspace_icon?: unknown } }).app
  await world.asServer('PATCH', '/app', { workspace_icon: icon })
  expect((await seen()).workspace_icon).toEqual(icon)
  for (const workspace_icon of [{ ...icon, mime_type: 'image/svg+xml' }, { ...icon, base64: '<svg>' }, 'aWNvbg==']) {
    await expect(world.asServer('PATCH', '/app', { workspace_icon })).rejects.toThrow('Refused: 400')
  }
  expect((await seen()).workspace_icon).toEqual(icon)
  await world.asServer('PATCH', '/app', { workspace_icon: null })
  expect(await seen()).not.toHaveProperty('workspace_icon')
})

test('polls of channels that this device knows nothing of are listed, closed and deleted', async () => {
  await world.asServer('POST', '/channels/messaging/away/query', {
    data: { created_by_id: 'bob', members: ['bob'] },
  })
  const made = (await world.as('bob', 'POST', '/polls', { name: 'Lunch?', options: [{ text: 'Soup' }] })) as {
    poll: { id: string }
  }
  await world.as('bob', 'POST', '/channels/messaging/away/message', {
    message: { id: 'p1', text: '', poll_id: made.poll.id },
  })
  const list = async (closed?: boolean) =>
    (await world.done(workspace().polls(closed === undefined ? {} : { closed }))).polls
  const [poll] = await list(false)
  expect(poll).toMatchObject({ name: 'Lunch?', byId: 'bob', closed: false, options: 1, votes: 0 })
  if (poll === undefined) return
  await world.done(workspace().closePoll({ pollId: poll.id }))
  expect((await list(true)).map(({ name }) => name)).toEqual(['Lunch?'])
  await world.done(workspace().removePoll({ pollId: poll.id }))
  expect(await list()).toEqual([])
})

test('the creator of a poll deletes it, and it is gone for everyone', async () => {
  const made = (await world.as('bob', 'POST', '/polls', { name: 'Tea?', options: [{ text: 'Yes' }] })) as {
    poll: { id: string }
  }
  await world.as('bob', 'POST', '/channels/team/general/message', {
    message: { id: 'p2', text: 'x', poll_id: made.poll.id },
  })
  await ui().channels.open({ cid: world.cid })
  await world.pass(3_000)
  expect(world.person('alice').replica.get('polls', made.poll.id)?.name).toBe('Tea?')
  await world.done(ui('bob').polls.remove({ messageId: asMessageId('p2') }))
  await world.pass(2_000)
  expect(world.person('alice').replica.get('polls', made.poll.id)).toBeUndefined()
})

test('everyone who reacted is loaded page by page', async () => {
  const ids = Array.from({ length: 130 }, (_, at) => `fan-${String(at).padStart(3, '0')}`)
  const inParts = [ids.slice(0, 65), ids.slice(65)]
  for (const part of inParts) {
    await world.asServer('POST', '/users', { users: Object.fromEntries(part.map((id) => [id, { id, name: id }])) })
    await world.asServer('POST', '/channels/team/general', { add_members: part })
  }
  await world.as('bob', 'POST', '/channels/team/general/message', { message: { id: 'loved', text: 'hello' } })
  for (const id of ids) await world.as(id, 'POST', '/messages/loved/reaction', { reaction: { type: 'love' } })
  const messageId = asMessageId('loved')
  const first = await world.done(ui().messages.reactors({ messageId, type: 'love' }))
  const second = await world.done(ui().messages.reactors({ messageId, type: 'love', next: first.next }))
  expect(first.userIds.length).toBe(100)
  expect(second.userIds.length).toBe(30)
  expect(second.next).toBeUndefined()
  expect(new Set([...first.userIds, ...second.userIds]).size).toBe(130)
  expect(first.userIds).toContain(asUserId('fan-129'))
})

test('whoever may not change settings is refused', async () => {
  expect(await code(ui('bob').workspace.types())).toBe('manage/not-allowed')
  expect(await code(ui('bob').workspace.changeLimits({ guests: true }))).toBe('manage/not-allowed')
  expect(world.person('bob').channel(asCid('messaging:none'))).toBeUndefined()
})
