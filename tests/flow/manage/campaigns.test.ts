import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CampaignContent, DryRunStep } from '#shared/domain/manage/campaigns.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { putUser, userById } from '#main/server/users/user-tables.ts'
import { startDueTimer } from '#main/server/store/upkeep.ts'
import { PATIENCE_MS, runsTo } from '#kit/runs.ts'
import { createWorld, type World } from '#kit/world.ts'

/** Campaigns of `alice`, who has the API secret, to the people of a real server. */

const CROWD = runsTo(1_500, 10_000)
let world: World
let stopTimer = (): void => undefined
beforeAll(async () => {
  world = await createWorld({ people: ['alice', 'bob', 'carol'], withSecret: ['alice', 'carol'] })
  stopTimer = startDueTimer(world.server.services)
})
afterAll(async () => {
  stopTimer()
  await world.stop()
})

const campaigns = (userId = 'alice') => world.person(userId).ui.campaigns
const code = (work: Promise<unknown>) => world.done(work).catch((error: { code: string }) => error.code)

type ChannelInput = Parameters<World['people'][number]['ui']['campaigns']['create']>[0]['content']['channel']

const aContent = (more: Partial<CampaignContent> = {}) => ({
  name: 'News',
  description: '',
  text: 'Hi {{receiver.first_name|there}}',
  attachments: [],
  fields: {},
  segmentIds: [],
  createChannels: true,
  showChannels: false,
  skipPush: false,
  skipWebhook: false,
  ...more,
  senderId: asUserId(more.senderId ?? 'alice'),
  userIds: (more.userIds ?? []).map(asUserId),
  channel: undefined as ChannelInput,
})

async function dryRun(content: ReturnType<typeof aContent>, campaign?: { id: string; version: string }) {
  let step: DryRunStep = await world.done(campaigns().dryRun({ content, campaign }))
  while (!step.summary) step = await world.done(campaigns().dryRun({ content, campaign, run: step.run }))
  return { run: step.run, summary: step.summary }
}

async function create(content: ReturnType<typeof aContent>) {
  return world.done(campaigns().create({ content }))
}

test('how a campaign goes over time is noted each time that a figure has changed, also without a connection', async () => {
  const { id, version } = await create(aContent({ userIds: ['bob', 'carol'], name: 'Course' }))
  const opened = () => world.done(campaigns().get({ id }))
  expect((await opened()).readings).toBeUndefined()
  await world.done(campaigns().start({ id, version, people: 2 }))
  await world.pass(2_000)
  const { readings = [] } = await opened()
  expect(readings.at(-1)).toMatchObject({ usersSent: 2, messagesSent: 2, usersRead: 0 })
  await world.pass(60_000)
  expect((await opened()).readings).toEqual(readings)
  const { text } = await world.done(world.person('alice').account.engine.campaignTable(id))
  for (const { at, usersSent, usersRead } of readings) {
    expect(text).toContain(`"people_sent","${formatTime(at)}","","${usersSent}"`)
    expect(text).toContain(`"people_read","${formatTime(at)}","","${usersRead}"`)
  }
  await world.done(campaigns().list({}))
  world.person('alice').link.down()
  await world.pass(40_000)
  expect((await opened()).readings).toEqual(readings)
  world.person('alice').link.up()
  await world.rest()
  await world.done(campaigns().remove({ id }))
})

test('a campaign is created, changed, started and read, and each person reads their own message', async () => {
  const made = await create(aContent({ userIds: ['bob'], fields: { topic: 'beta' } }))
  expect(made).toMatchObject({ state: 'draft', content: { name: 'News', userIds: ['bob'], fields: { topic: 'beta' } } })
  const content = aContent({ userIds: ['bob', 'carol'], name: 'Other' })
  const changed = await world.done(campaigns().change({ id: made.id, version: made.version, content }))
  expect(changed.content).toMatchObject({ name: 'Other', userIds: ['bob', 'carol'] })
  await world.done(campaigns().start({ id: made.id, version: changed.version, people: 2 }))
  await world.pass(2_000)
  const { campaign, notSent } = await world.done(campaigns().get({ id: made.id }))
  expect(campaign).toMatchObject({ state: 'completed', stats: { usersSent: 2, messagesSent: 2, progress: 1 } })
  expect(notSent).toEqual({ rows: [], count: 0 })
  const { campaigns: listed } = await world.done(campaigns().list({ states: ['completed'] }))
  expect(listed.map(({ id }) => id)).toEqual([made.id])
  expect((await world.done(campaigns().list({ find: 'oTHE' }))).campaigns).toHaveLength(1)
  expect((await world.done(campaigns().list({ find: 'nothing' }))).campaigns).toEqual([])
})

test('campaigns and the people of a dry run are found by any part of a name, whatever its accents', async () => {
  const users = { lodz: { id: 'lodz', name: 'Świętosława Żółć' }, other: { id: 'other', name: 'Otto' } }
  await world.asServer('POST', '/users', { users })
  const content = aContent({ name: 'Żółta łódź', userIds: ['lodz', 'other'] })
  const { id } = await create(content)
  const found = async (find: string) => (await world.done(campaigns().list({ find }))).campaigns.map((each) => each.id)
  expect(await found('LODZ')).toEqual([id])
  expect(await found('ódź żół')).toEqual([id])
  expect(await found('łódka')).toEqual([])
  const { run } = await dryRun(content)
  const people = async (find: string) =>
    (await world.done(campaigns().people({ run, view: 'gets', find }))).people.map((each) => each.id)
  expect(await people('zolc swieto')).toEqual(['lodz'])
  expect(await people('OTHER')).toEqual(['other'])
  expect(await people('')).toEqual(['lodz', 'other'])
  await world.done(campaigns().remove({ id }))
})

test('a channel of its own for each person has the name, team, data and moderators of the template', async () => {
  const channel = {
    type: 'team',
    members: ['carol'].map(asUserId),
    moderators: ['carol'].map(asUserId),
    team: 'red',
    name: 'Welcome',
    fields: { season: 'winter' },
  }
  const made = await create({ ...aContent({ userIds: ['bob'] }), channel })
  expect(made.content.channel).toEqual({ ...channel, id: undefined, membersJson: undefined })
  await world.done(campaigns().start({ id: made.id, version: made.version, people: 1 }))
  await world.pass(2_000)
  const created = world.server.services.db.get<{ cid: string; team: string; name: string }>(
    "SELECT cid, team, name FROM channels WHERE json_extract(custom, '$.season') = 'winter'",
  )
  expect(created).toMatchObject({ team: 'red', name: 'Welcome' })
  const roles = world.server.services.db.all(
    'SELECT user_id, channel_role FROM members WHERE cid = ? ORDER BY user_id',
    created?.cid ?? '',
  )
  expect(roles).toEqual([
    { user_id: 'alice', channel_role: 'channel_member' },
    { user_id: 'bob', channel_role: 'channel_member' },
    { user_id: 'carol', channel_role: 'channel_moderator' },
  ])
})

test('of two administrators the second is refused with what the first has changed, and nothing is overwritten', async () => {
  const made = await create(aContent({ userIds: ['bob'] }))
  const { id, version } = made
  const content = aContent({ userIds: ['bob'], name: 'By Alice' })
  const changed = await world.done(campaigns().change({ id, version, content }))
  const late = { id, version, content: aContent({ userIds: [], name: 'By Carol' }) }
  expect(await code(campaigns('carol').change(late))).toBe('campaigns/changed')
  expect(await code(campaigns('carol').start({ id, version, people: 1 }))).toBe('campaigns/changed')
  expect(await code(campaigns('carol').stop({ id }))).toBe('campaigns/state')
  expect((await world.done(campaigns().get({ id }))).campaign.content.name).toBe('By Alice')
  await world.done(campaigns().remove({ id }))
  expect(await code(campaigns('carol').change({ ...late, version: changed.version }))).toBe('campaigns/gone')
  expect(await code(campaigns().get({}))).toBe('campaigns/id-missing')
})

test('what is being written stays on the device, also offline and across a restart, until it is saved', async () => {
  const draft = { content: aContent({ name: 'Half', text: 'Half a sent', userIds: ['bob'] }) }
  const kept = async () => world.done(campaigns().drafts({}))
  world.person('alice').link.down()
  await world.pass(40_000)
  const before = world.clock.now()
  const told = () => world.person('alice').replica.get('manage', 'self')?.changes['campaign-drafts'] ?? 0
  const toldBefore = told()
  const { at } = await world.done(campaigns().keepDraft({ draft }))
  expect(at).toBeGreaterThanOrEqual(before)
  expect(told()).toBe(toldBefore + 1)
  await world.done(campaigns().keepDraft({ id: 'c9', draft: { ...draft, version: 'v1' } }))
  world.person('alice').crash()
  world.person('alice').restart()
  await world.pass(1_000)
  expect(await kept()).toMatchObject({
    '': { content: { name: 'Half', text: 'Half a sent' } },
    c9: { version: 'v1', content: { userIds: ['bob'] } },
  })
  world.person('alice').link.up()
  await world.rest()
  await world.done(campaigns().keepDraft({ id: 'c9' }))
  expect(Object.keys(await kept())).toEqual([''])
  await world.done(campaigns().keepDraft({}))
  expect(await kept()).toEqual({})
  expect(await code(campaigns('bob').keepDraft({ draft }))).toBe('manage/not-allowed')
})

test('a scheduled campaign waits, can be stopped, and is not started for more people than were confirmed', async () => {
  const made = await create(aContent({ userIds: ['bob', 'carol'] }))
  const { id, version } = made
  expect(await code(campaigns().start({ id, version, people: 1 }))).toBe('campaigns/grew')
  const at = world.clock.now() + 3_600_000
  const started = await world.done(campaigns().start({ id, version, people: 2, scheduledFor: at }))
  expect(started).toMatchObject({ state: 'scheduled', scheduledFor: at })
  expect((await world.done(campaigns().stop({ id }))).state).toBe('stopped')
  expect(await code(campaigns().start({ id, version: started.version, people: 2 }))).toBe('campaigns/state')
})

test('a member may not call any of it', async () => {
  const content = aContent()
  const calls = [
    campaigns('bob').list({}),
    campaigns('bob').get({ id: 'x' }),
    campaigns('bob').create({ content }),
    campaigns('bob').stop({ id: 'x' }),
    campaigns('bob').dryRun({ content }),
  ]
  expect(await Promise.all(calls.map(code))).toEqual(calls.map(() => 'manage/not-allowed'))
})

test('without a connection the list is as it was, with its time, and changes are refused', async () => {
  const { campaigns: before } = await world.done(campaigns().list({}))
  expect(before.length).toBeGreaterThan(0)
  const at = world.clock.now()
  world.person('alice').link.down()
  await world.pass(40_000)
  const stored = await world.done(campaigns().list({}))
  expect(stored.campaigns).toEqual(before)
  expect(Math.abs((stored.asOf ?? 0) - at)).toBeLessThan(5_000)
  const [first] = before
  expect((await world.done(campaigns().get({ id: first?.id ?? '' }))).campaign).toEqual(first)
  expect(await code(campaigns().create({ content: aContent() }))).toBe('network/offline')
  world.person('alice').link.up()
  await world.rest()
})

test('a campaign that was opened is there without a connection, although it is in no list that was loaded', async () => {
  await world.done(campaigns().list({}))
  const { id } = await create(aContent({ userIds: ['bob'], name: 'Just made' }))
  const { campaign } = await world.done(campaigns().get({ id }))
  const at = world.clock.now()
  world.person('alice').link.down()
  await world.pass(40_000)
  world.person('alice').crash()
  world.person('alice').restart()
  await world.pass(1_000)
  const stored = await world.done(campaigns().get({ id }))
  expect(stored.campaign).toEqual(campaign)
  expect(Math.abs((stored.storedAt ?? 0) - at)).toBeLessThan(5_000)
  world.person('alice').link.up()
  await world.rest()
  await world.done(campaigns().remove({ id }))
})

test('the dry run fills in what the server fills in, also of a channel that exists, and says who has none', async () => {
  const data = { members: ['alice', 'bob'], name: 'Pair', created_by_id: 'alice' }
  await world.asServer('POST', '/channels/messaging/query', { data })
  const text = '{{receiver.name|x}} {{channel.name|new}}'
  const content = aContent({ userIds: ['bob', 'dora', 'alice'], text, createChannels: false, name: 'Named' })
  await world.asServer('POST', '/users', { users: { dora: { id: 'dora', name: 'Dora' } } })
  const { run } = await dryRun(content)
  const people = (view: 'gets' | 'left-out') => world.done(campaigns().people({ run, view }))
  const gets = (await people('gets')).people.map(({ id, text: written }) => [id, written])
  expect((await people('left-out')).people.map(({ id, why }) => [id, why])).toEqual([
    ['dora', 'no-channel'],
    ['alice', 'sender'],
  ])
  const made = await create(content)
  await world.done(campaigns().start({ id: made.id, version: made.version, people: 1 }))
  await world.pass(2_000)
  const { notSent } = await world.done(campaigns().get({ id: made.id }))
  expect(notSent?.rows.map(({ id, state }) => [id, state])).toEqual([['dora', 'skipped']])
  const sent = world.server.services.db.all<{ target_id: string; text: string }>(
    `SELECT t.target_id, m.text FROM campaign_targets t JOIN messages m ON m.id = t.message_id WHERE t.campaign_id = ?`,
    made.id,
  )
  expect(sent.map((row) => [row.target_id, row.text])).toEqual(gets)
  expect(gets).toHaveLength(1)
})

test('the dry run leaves out those to whom a rule or a block list returns the message, as the server does', async () => {
  await world.asServer('POST', '/users', {
    users: {
      plain: { id: 'plain', hut: 'Murowaniec' },
      listed: { id: 'listed', hut: 'Casino' },
      ruled: { id: 'ruled', hut: 'Lottery' },
      flagged: { id: 'flagged', hut: 'Casino and Poker' },
    },
  })
  await world.asServer('POST', '/blocklists', { name: 'ads', words: ['casino'] })
  await world.asServer('PUT', '/channeltypes/messaging', { blocklist: 'ads', blocklist_behavior: 'block' })
  const rule = (id: string, word: string, action: string, position: number) =>
    world.asServer('POST', '/api/v2/moderation/moderation_rule', {
      id,
      name: id,
      action,
      position,
      conditions: [{ kind: 'words', words: [word] }],
    })
  await rule('first', 'poker', 'flag', 1)
  await rule('second', 'lottery', 'bounce', 2)
  const content = aContent({ userIds: ['plain', 'listed', 'ruled', 'flagged'], text: '{{receiver.hut}}', name: 'Huts' })
  const { id, version } = await create(content)
  const { run, summary } = await dryRun(content, { id, version })
  expect(summary.excluded).toEqual({ returned: 2 })
  const left = await world.done(campaigns().people({ run, view: 'left-out' }))
  expect(left.people.map((each) => `${each.id}: ${each.text}`)).toEqual(['listed: Casino', 'ruled: Lottery'])
  await world.done(campaigns().start({ id, version, people: 2 }))
  await world.pass(2_000)
  const { campaign, notSent } = await world.done(campaigns().get({ id }))
  expect(campaign.stats.usersSent).toBe(summary.people)
  expect(notSent?.rows.map((row) => row.id)).toEqual(['listed', 'ruled'])
  await world.asServer('PUT', '/channeltypes/messaging', { blocklist: '', blocklist_behavior: 'flag' })
  for (const each of ['first', 'second']) await world.asServer('DELETE', `/api/v2/moderation/moderation_rule/${each}`)
})

test('the people of a dry run are a table: who gets it, when, how they were found, and who does not and why', async () => {
  const users = {
    kyoto: { id: 'kyoto', name: '=SUM(A1)', timezone: 'Asia/Tokyo' },
    gone: { id: 'gone', name: 'Gone' },
  }
  await world.asServer('POST', '/users', { users })
  await world.asServer('POST', '/users/gone/deactivate', {})
  await world.asServer('POST', '/segments', { id: 'table', type: 'user', name: 'At the table' })
  await world.asServer('POST', '/segments/table/addtargets', { target_ids: ['bob', 'kyoto'] })
  const text = 'Hi {{receiver.hut|there}}'
  const { run } = await dryRun(aContent({ segmentIds: ['table'], userIds: ['bob', 'gone', 'alice'], text }))
  const { engine } = world.person('alice').account
  const table = () => [...engine.dryRunTable(run, Date.UTC(2026, 10, 20, 14, 0))]
  const rows = table().flatMap((piece) => piece.text.replace('\uFEFF', '').split('\r\n').slice(0, -1))
  expect(rows).toEqual([
    '"place","id","name","from","channel","sent_at","time_zone","their_time","missing","left_out"',
    expect.stringMatching(
      /^"1","bob","[^"]*","by name; At the table","\w+","2026-11-20T14:00:00[.0]*Z","","","receiver.hut",""$/,
    ),
    expect.stringMatching(
      /^"2","kyoto","'=SUM\(A1\)","At the table","new",".*","Asia\/Tokyo","2026-11-20 23:00",.*,""$/,
    ),
    expect.stringMatching(/^"","alice",".*","by name","","","","","","sender"$/),
    '"","gone","Gone","by name","","","","","","deactivated"',
  ])
  expect(table().reduce((sum, { messages }) => sum + messages, 0)).toBe(4)
  await world.done(campaigns().endDryRun({ run: 'another' }))
  expect(table()).not.toEqual([])
  await world.done(campaigns().endDryRun({ run }))
  expect(table).toThrow(expect.objectContaining({ code: 'campaigns/no-run' }))
  expect(await code(campaigns().people({ run, view: 'gets' }))).toBe('campaigns/no-run')
})

test('a start relies on what was counted, also when nobody looks at the people any more', async () => {
  const content = aContent({ userIds: ['bob', 'carol'] })
  const { id, version } = await create(content)
  const { run } = await dryRun(content, { id, version })
  await world.done(campaigns().endDryRun({ run }))
  expect(await code(campaigns().start({ id, version, people: 1 }))).toBe('campaigns/grew')
  const at = world.clock.now() + 3_600_000
  expect((await world.done(campaigns().start({ id, version, people: 2, scheduledFor: at }))).state).toBe('scheduled')
  await world.done(campaigns().remove({ id }))
})

test('the poll of a message is shown with its question and options, and nothing of one that there is not', async () => {
  const poll = { senderId: asUserId('alice'), question: 'Which hut?', options: ['Old', 'New'] }
  const { id } = await world.done(campaigns().createPoll(poll))
  expect(await world.done(campaigns().poll({ id }))).toEqual({
    poll: { question: 'Which hut?', options: ['Old', 'New'] },
  })
  expect(await world.done(campaigns().poll({ id: 'nothing' }))).toEqual({})
  expect(await code(campaigns('bob').poll({ id }))).toBe('manage/not-allowed')
})

test('the dry run knows the time zone of whoever names one, and finds those for whom it is night', async () => {
  const users = {
    tokyo: { id: 'tokyo', timezone: 'Asia/Tokyo' },
    lisbon: { id: 'lisbon', timezone: 'Europe/Lisbon' },
    mars: { id: 'mars', timezone: 'Mars/Olympus' },
    odd: { id: 'odd', timezone: 5 },
  }
  await world.asServer('POST', '/users', { users })
  const { run, summary } = await dryRun(aContent({ userIds: ['tokyo', 'lisbon', 'mars', 'odd', 'alice'] }))
  expect(summary.people).toBe(4)
  expect(summary.zones).toEqual({ 'Asia/Tokyo': 1, 'Europe/Lisbon': 1 })
  const ids = async (narrow: { nightAt?: number; zoneless?: boolean }) =>
    (await world.done(campaigns().people({ run, view: 'gets', ...narrow }))).people.map((each) => each.id)
  expect(await ids({ nightAt: Date.UTC(2026, 10, 20, 14, 0) })).toEqual(['tokyo'])
  expect(await ids({ nightAt: Date.UTC(2026, 10, 20, 23, 0) })).toEqual(['lisbon'])
  expect(await ids({ zoneless: true })).toEqual(['mars', 'odd'])
})

test(
  'over thousands of people, with the sender connected, the dry run counts exactly those who get the message, each once',
  { timeout: PATIENCE_MS },
  async () => {
    const { services } = world.server
    const pattern = userById(services.db, 'bob')
    if (!pattern) throw new Error('no bob')
    const idOf = (index: number): string => `p${String(index).padStart(5, '0')}`
    services.db.transaction(() => {
      for (let index = 0; index < CROWD; index += 1) {
        const off = index % 500 === 1 ? 5 : null
        const gone = index % 500 === 2 ? 5 : null
        const custom = JSON.stringify(index % 3 === 0 ? { crowd: 'yes' } : { crowd: 'yes', region: `r${index % 7}` })
        const name = index % 11 === 0 ? null : `Person ${index}`
        putUser(services.db, {
          ...pattern,
          id: idOf(index),
          name,
          role: 'user',
          custom,
          deactivated_at: off,
          deleted_at: gone,
        })
      }
    })
    const body = { id: 'crowd', type: 'user', name: 'Crowd', filter: { crowd: 'yes' } }
    await world.asServer('POST', '/segments', body)
    const target_ids = Array.from({ length: 600 }, (_, index) => idOf(index))
    await world.asServer('POST', '/segments', { id: 'named', type: 'user', name: 'Named' })
    await world.asServer('POST', '/segments/named/addtargets', {
      target_ids: target_ids.filter((id) => id !== idOf(502) && id !== idOf(2)),
    })
    const text = 'Hi {{receiver.name|there}} {{receiver.region|somewhere}}'
    const content = aContent({
      segmentIds: ['crowd', 'named'],
      userIds: ['alice', 'bob', 'nobody', idOf(3), idOf(2)],
      text,
    })
    const made = await create(content)
    const campaign = { id: made.id, version: made.version }
    const { run, summary } = await dryRun(content, campaign)
    expect(summary.excluded).toMatchObject({ sender: 1, unknown: 1 })
    expect(summary.found - summary.twice).toBe(
      summary.people + Object.values(summary.excluded).reduce((sum, count) => sum + count, 0),
    )
    expect(summary.missing['receiver.region']).toBeGreaterThan(0.3 * CROWD)
    expect(summary.follows).toBe(true)
    await world.done(campaigns().start({ ...campaign, people: summary.people }))
    for (let turn = 0; turn < 200 && (await stateOf(made.id)) === 'in_progress'; turn += 1) await world.pass(1_000)
    const { campaign: done, notSent } = await world.done(campaigns().get({ id: made.id }))
    expect(done.state).toBe('completed')
    expect(notSent?.count).toBe(0)
    expect(done.stats.usersSent).toBe(summary.people)
    const sent = services.db.all<{ target_id: string; text: string }>(
      `SELECT t.target_id, m.text FROM campaign_targets t JOIN messages m ON m.id = t.message_id
     WHERE t.campaign_id = ? ORDER BY t.target_id`,
      made.id,
    )
    expect(new Set(sent.map(({ target_id }) => target_id)).size).toBe(summary.people)
    const shown: { id: string; text: string }[] = []
    for (let offset = 0; offset < summary.people; offset += 100) {
      const page = await world.done(campaigns().people({ run, view: 'gets', offset }))
      expect(page.count).toBe(summary.people)
      shown.push(...page.people.map((person) => ({ id: person.id, text: person.text })))
    }
    expect(shown).toEqual(sent.map((row) => ({ id: row.target_id, text: row.text })))
  },
)

const stateOf = async (id: string): Promise<string> => (await world.done(campaigns().get({ id }))).campaign.state
