import { expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { aLoneEngine, aWireUser, FakeApi } from '#kit/lone-engine.ts'

/** Replies of a server that sends anything; a window must get rows that it can draw, or none. */
const ODD = [
  undefined,
  null,
  5,
  'x',
  [],
  [null],
  [5, 'x', {}, [[]]],
  {},
  { id: {} },
  { a: null },
  { a: 5, b: [], c: {} },
]

const CONTENT = {
  name: 'News',
  description: '',
  senderId: asUserId('me'),
  text: 'Hello',
  attachments: [],
  fields: {},
  segmentIds: ['s1'],
  userIds: [],
  createChannels: true,
  showChannels: true,
  skipPush: false,
  skipWebhook: false,
}

const OPERATIONS = [
  'GetApp',
  'GetChannelType',
  'ListChannelTypes',
  'ListCommands',
  'ListPermissions',
  'ListRoles',
  'QueryPolls',
  'SearchRoles',
]
const FIELDS = ['app', 'channel_types', 'commands', 'permissions', 'polls', 'roles', 'grants', 'next']

test.each(ODD.map((odd) => [JSON.stringify(odd) ?? 'undefined', odd]))(
  'roles, channel types, commands, polls and limits bear %s in a reply',
  async (_name, odd) => {
    const server = new FakeApi()
    const reply = Object.fromEntries(FIELDS.map((field) => [field, odd]))
    for (const operation of OPERATIONS) server.on(operation, () => reply)
    const lone = await aLoneEngine({ server: { source: 'secret', api: () => Promise.resolve(server) } })
    await lone.online()
    const { roles, workspace } = lone.engine.handlers
    const table = await roles.list(undefined, lone.client)
    expect(table.roles.every(({ name }) => typeof name === 'string')).toBe(true)
    expect(table.types.every(({ name }) => typeof name === 'string')).toBe(true)
    const types = await workspace.types(undefined, lone.client)
    expect(types.every(({ name, commands }) => typeof name === 'string' && Array.isArray(commands))).toBe(true)
    const { commands } = await workspace.commands(undefined, lone.client)
    expect(commands.every(({ name }) => typeof name === 'string')).toBe(true)
    const { polls } = await workspace.polls({}, lone.client)
    expect(polls.every(({ id, createdAt }) => typeof id === 'string' && Number.isFinite(createdAt))).toBe(true)
    const limits = await workspace.limits(undefined, lone.client)
    expect(limits.file.maxBytes).toBeGreaterThan(0)
  },
)

const MESSAGING = [
  'GetCampaign',
  'QueryCampaigns',
  'CreateCampaign',
  'UpdateCampaign',
  'StartCampaign',
  'StopCampaign',
  'GetSegment',
  'QuerySegments',
  'CreateSegment',
  'UpdateSegment',
  'QuerySegmentTargets',
  'SegmentTargetExists',
  'AddSegmentTargets',
  'DeleteSegmentTargets',
  'QueryUsers',
  'QueryChannels',
]
const PARTS = ['campaign', 'campaigns', 'segment', 'segments', 'targets', 'users', 'channels', 'next', 'not_sent']

/** The value of a call, or the code with which it was refused. Any other error is a fault of ours. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: unknown) => {
    if (error instanceof AppError) return error.code
    throw error
  })
}

test.each(ODD.map((odd) => [JSON.stringify(odd) ?? 'undefined', odd]))(
  'segments and campaigns bear %s in a reply: it is read, or refused with a code',
  async (_name, odd) => {
    const server = new FakeApi()
    const reply = Object.fromEntries(PARTS.map((field) => [field, odd]))
    for (const operation of MESSAGING) server.on(operation, () => reply)
    const lone = await aLoneEngine({ server: { source: 'secret', api: () => Promise.resolve(server) } })
    await lone.online()
    const { campaigns, segments } = lone.engine.handlers
    const { client } = lone
    const about = { id: 's1', kind: 'user', filter: '{}', all: false } as const
    const listed = await segments.list({ find: '' }, client)
    expect(listed.segments.every(({ id }) => typeof id === 'string')).toBe(true)
    const found = await campaigns.list({ find: '' }, client)
    expect(found.campaigns.every(({ id }) => typeof id === 'string')).toBe(true)
    const outcomes: Promise<unknown>[] = [
      segments.get({ id: 's1' }, client),
      segments.create({ kind: 'user', name: 'All', all: false }, client),
      segments.change({ id: 's1', version: '', name: 'All' }, client),
      segments.addTargets({ id: 's1', targetIds: ['ann'] }, client),
      segments.removeTargets({ id: 's1', targetIds: ['ann'] }, client),
      segments.targets({ id: 's1', kind: 'user' }, client),
      segments.membership({ ...about, targetId: 'ann' }, client),
      segments.members(about, client),
      segments.count({ kind: 'user', filter: '{}', all: false }, client),
      segments.uses({ id: 's1' }, client),
      campaigns.get({ id: 'c1', notSent: 5 }, client),
      campaigns.create({ content: CONTENT }, client),
      campaigns.change({ id: 'c1', version: '', content: CONTENT }, client),
      campaigns.start({ id: 'c1', version: '', people: 0 }, client),
      campaigns.stop({ id: 'c1' }, client),
      campaigns.dryRun({ content: CONTENT }, client),
    ].map(async (call: unknown) => outcome(Promise.resolve(call)))
    expect(await Promise.all(outcomes)).toHaveLength(outcomes.length)
    expect(lone.log.filter(({ level }) => level === 'error')).toEqual([])
  },
)

test('entries of the history without a time, an action or an id are left out; the others are shortened to what is shown', async () => {
  const { readPage } = await import('./history/read.ts')
  const good = {
    id: 'l1',
    created_at: '2026-03-02T09:00:00Z',
    action: 'user.ban',
    user: aWireUser('ola'),
    user_id: 'ola',
    target_user_id: {},
    reason: 'x'.repeat(5_000),
    changes: [5, { field: 'role', from: 5, to: 'admin' }],
    undo: 'explode',
  }
  const api = new FakeApi().on('QueryModerationLogs', () => ({
    logs: [null, 5, {}, { ...good, id: '' }, { ...good, created_at: 'soon' }, { ...good, action: [] }, good],
    since: 'never',
    next: {},
  }))
  const lone = await aLoneEngine()
  const core = {
    asOf: () => 0,
    life: new AbortController().signal,
    write: lone.engine.stores.cache.transaction.bind(lone.engine.stores.cache),
  }
  const { entries, since, next } = await readPage(core, api, { filter: { cid: asCid('team:a') }, limit: 5 })
  expect(since).toBeUndefined()
  expect(next).toBeUndefined()
  expect(entries).toHaveLength(1)
  expect(entries[0]).toMatchObject({ id: 'l1', byId: asUserId('ola'), changes: [{ field: 'role', to: 'admin' }] })
  expect(entries[0]?.undo).toBeUndefined()
  expect(entries[0]?.reason?.length).toBeLessThan(1_001)
})

test('the address of the command handler is changed where the server has one', async () => {
  let address: unknown = ''
  const server = new FakeApi().on('GetApp', () => ({ app: { name: 'test', custom_action_handler_url: address } }))
  server.on('UpdateApp', () => ({}))
  const lone = await aLoneEngine({ server: { source: 'secret', api: () => Promise.resolve(server) } })
  await lone.online()
  const { workspace } = lone.engine.handlers
  expect(await workspace.limits(undefined, lone.client)).toMatchObject({ actionHandler: '' })
  await workspace.changeLimits({ actionHandler: 'https://bots.test/{type}' }, lone.client)
  expect(server.to('UpdateApp').map(({ body }) => body)).toEqual([
    { custom_action_handler_url: 'https://bots.test/{type}' },
  ])
  address = 5
  expect(await workspace.limits(undefined, lone.client)).not.toHaveProperty('actionHandler')
})
