import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nextTurn } from '#main/lib/clock.ts'
import type { WireSegment } from '#shared/wire/campaigns.ts'
import { segmentById } from '#main/server/campaigns/campaign-tables.ts'
import { BATCH, GATHERED, REMOVED } from '#main/server/campaigns/campaigns.ts'
import { COMPARED, READ, withSizes } from '#main/server/campaigns/segments.ts'
import { Later } from '#main/server/http/router.ts'
import type { Json } from '#main/server/http/json.ts'
import { wakeDueTimer } from '#main/server/store/time.ts'
import { startDueTimer } from '#main/server/store/upkeep.ts'
import { putUser, userById } from '#main/server/users/user-tables.ts'
import { transact, type Services } from '#main/server/work.ts'
import type { Call } from '../in-process.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

/** Audiences that take longer than one turn of the server: others are answered in between. */

const CROWD = 3_500
const idOf = (at: number): string => `p${String(at).padStart(5, '0')}`
let room: Room
let services: Services
beforeEach(() => {
  room = openRoom(['ann'])
  ;({ services } = room.server)
  const ann = userById(services.db, 'ann')
  if (ann === undefined) throw new Error('no ann')
  services.db.transaction(() => {
    for (let at = 0; at < CROWD; at += 1) {
      const off = at % 700 === 5 ? 1 : null
      const custom = JSON.stringify({ group: at % 10 })
      putUser(services.db, { ...ann, id: idOf(at), name: `Person ${at}`, custom, deactivated_at: off })
    }
  })
})
afterEach(() => room.close())

type Reply = { campaign: { status: string; users: unknown[]; stats: Json }; not_sent?: { count: number } }
/** A reply that counts a large workspace follows after some turns. */
async function reply<T extends object>(operation: string, call: Call): Promise<T> {
  const given = room.done<T & { finish?: () => Promise<T> }>(operation, ADMIN, call)
  return (await given.finish?.()) ?? given
}
const get = () => reply<Reply>('GetCampaign', { params: { id: 'large' } })
const pass = () => room.clock.advance(1)
const gathered = () =>
  services.db.get<{ targets: number; gathering: string | null }>('SELECT targets, gathering FROM campaigns') ?? {
    targets: 0,
    gathering: null,
  }
const messages = () =>
  services.db.get<{ n: number }>("SELECT count(*) AS n FROM messages WHERE user_id = 'root'")?.n ?? 0

/** Everyone by a filter, a third of them once more by a list, and a few by name. */
function aLargeCampaign(): void {
  const named = Array.from({ length: CROWD / 2 }, (_, at) => idOf(at * 2))
  room.done('CreateSegment', ADMIN, { body: { id: 'found', type: 'user', filter: { group: { $gte: 0 } } } })
  room.done('CreateSegment', ADMIN, { body: { id: 'listed', type: 'user' } })
  room.done('AddSegmentTargets', ADMIN, { params: { id: 'listed' }, body: { target_ids: named } })
  const input = { sender_id: 'root', message_template: { text: 'news' }, create_channels: true }
  const about = { id: 'large', user_ids: ['ann', idOf(3), 'nobody', 'root'], segment_ids: ['listed', 'found'] }
  room.done('CreateCampaign', ADMIN, { body: { ...input, ...about } })
}
const EVERYONE = CROWD - CROWD / 700 + 1

test('no turn of a large campaign gathers more than a slice or sends more than a batch, nobody is left out, and the order stays', async () => {
  aLargeCampaign()
  const started = await reply<Reply>('StartCampaign', { params: { id: 'large' } })
  expect(started.campaign.status).toBe('in_progress')
  const turns: number[] = []
  for (let before = 0; gathered().gathering !== null && turns.length < 100; await pass()) {
    turns.push(gathered().targets - before)
    before = gathered().targets
    expect(messages()).toBe(0)
  }
  expect(turns.length).toBeGreaterThan(EVERYONE / GATHERED)
  expect(Math.max(...turns)).toBeLessThanOrEqual(GATHERED)
  expect(gathered().targets).toBe(EVERYONE)
  expect((await get()).campaign.users.length).toBe(100)
  const sendings: number[] = []
  for (let before = 0; sendings.length < 10; before = messages()) {
    await pass()
    sendings.push(messages() - before)
  }
  expect(Math.max(...sendings)).toBe(BATCH)
  const rows = services.db.all<{ target_id: string; state: string }>(
    'SELECT target_id, state FROM campaign_targets ORDER BY target_id',
  )
  expect(rows.length).toBe(EVERYONE)
  const sent = rows.filter(({ state }) => state === 'sent')
  expect(sent.length).toBe(messages())
  expect(sent.length).toBeGreaterThan(100)
  expect(rows.slice(0, sent.length)).toEqual(sent)
})

test('between the slices others write, and another administrator stops it: nobody got it, and all of them are named', async () => {
  aLargeCampaign()
  room.done('StartCampaign', ADMIN, { params: { id: 'large' } })
  room.done('GetOrCreateChannel', 'ann', {
    params: { type: 'messaging', id: 'hall' },
    body: { data: { members: ['ann'] } },
  })
  room.done('SendMessage', 'ann', {
    params: { type: 'messaging', id: 'hall' },
    body: { message: { text: 'meanwhile' } },
  })
  expect(gathered().gathering).not.toBeNull()
  const stopped = await reply<Reply>('StopCampaign', { params: { id: 'large' } })
  expect(stopped.campaign.status).toBe('stopped')
  for (let turn = 0; turn < 100 && gathered().gathering !== null; turn += 1) await pass()
  for (let turn = 0; turn < 10; turn += 1) await pass()
  expect(await get()).toMatchObject({ campaign: { status: 'stopped' }, not_sent: { count: EVERYONE } })
  expect(messages()).toBe(0)
})

test('segments of a large workspace are counted in slices, right also where one is named and matches', async () => {
  for (let at = 0; at < 25; at += 1) {
    room.done('CreateSegment', ADMIN, { body: { id: `s${at}`, type: 'user', filter: { group: at } } })
  }
  const named = [idOf(1), idOf(5), idOf(12), 'ann']
  room.done('AddSegmentTargets', ADMIN, { params: { id: 's1' }, body: { target_ids: named } })
  const rows = Array.from({ length: 25 }, (_, at) => segmentById(services.db, `s${at}`)).flatMap((row) => row ?? [])
  const ask = () =>
    transact(services, (work) => withSizes(work, rows, (sizes) => ({ sizes: Object.fromEntries(sizes) })))
  const later = ask()
  if (!(later instanceof Later)) throw new Error('counted in one turn')
  const { sizes } = (await later.finish()) as { sizes: Record<string, number> }
  // Two of the named match as well, and one of those that match is deactivated.
  expect(sizes).toMatchObject({ s0: CROWD / 10, s1: CROWD / 10 + 3, s5: CROWD / 10 - CROWD / 700, s24: 0 })
  expect(ask()).toEqual({ sizes })
  const again = ask()
  expect(again).not.toBeInstanceOf(Later)
})

test('what changes while segments are counted is counted the next time', async () => {
  const { segments } = await listed()
  expect(segments).toEqual([])
  for (let at = 0; at < 25; at += 1) {
    room.done('CreateSegment', ADMIN, { body: { id: `s${at}`, type: 'user', filter: { group: at } } })
  }
  const counting = listed()
  room.done('UpdateUsers', ADMIN, { body: { users: { late: { id: 'late', group: 24 } } } })
  await counting
  const { segments: after } = await listed()
  expect(after.find(({ id }) => id === 's24')?.size).toBe(1)
})

/** What each turn of counting looks at, in comparisons: a row costs some by itself, and one for each segment. */
async function turnsOf(count: () => Promise<unknown>, segments: number): Promise<number[]> {
  const turns = [0]
  const { db } = services
  const get = db.get.bind(db)
  vi.spyOn(db, 'get').mockImplementation((sql, ...values) => {
    const row = get<{ read?: unknown }>(sql, ...values)
    const compared = sql.includes('segment_targets') ? 1 : segments
    if (typeof row?.read === 'number') turns.push((turns.pop() ?? 0) + row.read * (READ + compared))
    return row
  })
  const counting = count().then(() => true)
  for (let isOver = false; !isOver;) {
    turns.push(0)
    isOver = await Promise.race([counting, nextTurn().then(() => false)])
  }
  vi.restoreAllMocks()
  return turns
}

test.each([
  [1, 2],
  [25, 13],
])('no turn that counts %i segments of a large workspace looks at more than a slice', async (segments, least) => {
  const target_ids = Array.from({ length: 2_000 }, (_, at) => idOf(at))
  for (let at = 0; at < segments; at += 1) {
    room.done('CreateSegment', ADMIN, { body: { id: `s${at}`, type: 'user', filter: { crowd: at } } })
    room.done('AddSegmentTargets', ADMIN, { params: { id: `s${at}` }, body: { target_ids } })
  }
  const turns = await turnsOf(listed, segments)
  expect(Math.max(...turns)).toBeLessThanOrEqual(COMPARED + READ + segments)
  expect(turns.filter((looked) => looked > 0).length).toBeGreaterThanOrEqual(least)
  const { segments: counted } = await listed()
  expect(counted.map(({ size }) => size)).toEqual(Array.from({ length: segments }, () => target_ids.length))
})

const targetsLeft = (table: 'campaign_targets' | 'segment_targets') =>
  services.db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0

/** How many of these rows each turn removes, from the call on. */
async function removals(table: 'campaign_targets' | 'segment_targets', call: () => void): Promise<number[]> {
  const turns: number[] = []
  let before = targetsLeft(table)
  call()
  for (let turn = 0; turn < 100 && before > 0; turn += 1) {
    turns.push(before - targetsLeft(table))
    before = targetsLeft(table)
    await pass()
  }
  return turns
}

async function aStoppedCampaign(): Promise<void> {
  aLargeCampaign()
  room.done('StartCampaign', ADMIN, { params: { id: 'large' } })
  room.done('StopCampaign', ADMIN, { params: { id: 'large' } })
  for (let turn = 0; turn < 100 && gathered().gathering !== null; turn += 1) await pass()
}

test('no turn of the deletion of a large campaign removes more than a slice, and from the first on nobody sees it', async () => {
  await aStoppedCampaign()
  const turns = await removals('campaign_targets', () => {
    room.done('DeleteCampaign', ADMIN, { params: { id: 'large' } })
    expect(room.ask('GetCampaign', ADMIN, { params: { id: 'large' } }).code).toBe(16)
    expect(room.ask('DeleteCampaign', ADMIN, { params: { id: 'large' } }).code).toBe(16)
    expect(room.done('QueryCampaigns', ADMIN, { body: {} })).toMatchObject({ campaigns: [] })
  })
  expect(Math.max(...turns)).toBe(REMOVED)
  expect(turns.reduce((sum, removed) => sum + removed, 0)).toBe(EVERYONE)
  expect(services.db.get('SELECT count(*) AS n FROM campaigns')).toEqual({ n: 0 })
})

test('no turn of the deletion of a segment with a long list removes more than a slice, and nobody gets it any more', async () => {
  aLargeCampaign()
  const target_ids = Array.from({ length: CROWD }, (_, at) => idOf(at))
  room.done('AddSegmentTargets', ADMIN, { params: { id: 'listed' }, body: { target_ids } })
  const turns = await removals('segment_targets', () => {
    room.done('DeleteSegment', ADMIN, { params: { id: 'listed' } })
    expect(room.ask('GetSegment', ADMIN, { params: { id: 'listed' } }).code).toBe(16)
    expect(room.ask('AddSegmentTargets', ADMIN, { params: { id: 'listed' }, body: { target_ids } }).code).toBe(16)
    room.done('DeleteSegment', ADMIN, { params: { id: 'found' } })
    room.done('StartCampaign', ADMIN, { params: { id: 'large' } })
  })
  expect(Math.max(...turns)).toBe(REMOVED)
  expect(turns.reduce((sum, removed) => sum + removed, 0)).toBe(CROWD)
  expect((await listed()).segments).toEqual([])
  // Ann and one more are named; the sender and somebody unknown are, too.
  expect(gathered().targets).toBe(2)
})

test('a deletion that a restart interrupts is continued', async () => {
  await aStoppedCampaign()
  room.done('DeleteCampaign', ADMIN, { params: { id: 'large' } })
  room.done('DeleteSegment', ADMIN, { params: { id: 'listed' } })
  expect(targetsLeft('campaign_targets')).toBe(EVERYONE - REMOVED)
  wakeDueTimer(services.db)
  const stop = startDueTimer(services)
  for (let turn = 0; turn < 100; turn += 1) await pass()
  stop()
  expect(targetsLeft('campaign_targets')).toBe(0)
  expect(targetsLeft('segment_targets')).toBe(0)
})

test('an id is free as soon as its campaign or segment is deleted, and nothing of these is in the new ones', async () => {
  await aStoppedCampaign()
  room.done('DeleteCampaign', ADMIN, { params: { id: 'large' } })
  room.done('DeleteSegment', ADMIN, { params: { id: 'listed' } })
  room.done('DeleteSegment', ADMIN, { params: { id: 'found' } })
  aLargeCampaign()
  expect(gathered()).toEqual({ targets: 0, gathering: null })
  expect(targetsLeft('campaign_targets')).toBe(0)
  expect(targetsLeft('segment_targets')).toBe(CROWD / 2)
  for (let turn = 0; turn < 20; turn += 1) await pass()
  expect((await get()).campaign.status).toBe('draft')
  expect(targetsLeft('segment_targets')).toBe(CROWD / 2)
})

const listed = () => reply<{ segments: WireSegment[] }>('QuerySegments', { body: { limit: 100 } })
