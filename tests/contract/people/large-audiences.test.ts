import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WireSegment } from '#shared/wire/campaigns.ts'
import { segmentById } from '#main/server/campaigns/campaign-tables.ts'
import { GATHERED } from '#main/server/campaigns/campaigns.ts'
import { withSizes } from '#main/server/campaigns/segment-sizes.ts'
import { Later } from '#main/server/http/router.ts'
import type { Json } from '#main/server/http/json.ts'
import { putUser, userById } from '#main/server/users/user-table.ts'
import { transact, type Services } from '#main/server/work.ts'
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
const get = () => room.done<Reply>('GetCampaign', ADMIN, { params: { id: 'large' } })
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

test('no turn of the start of a large campaign reads more than a slice, nobody is left out, and the order stays', async () => {
  aLargeCampaign()
  const started = room.done<Reply>('StartCampaign', ADMIN, { params: { id: 'large' } })
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
  expect(get().campaign.users.length).toBe(100)
  for (let turn = 0; turn < 3; turn += 1) await pass()
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
  expect(room.done<Reply>('StopCampaign', ADMIN, { params: { id: 'large' } }).campaign.status).toBe('stopped')
  for (let turn = 0; turn < 100 && gathered().gathering !== null; turn += 1) await pass()
  for (let turn = 0; turn < 10; turn += 1) await pass()
  expect(get()).toMatchObject({ campaign: { status: 'stopped' }, not_sent: { count: EVERYONE } })
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

async function listed(): Promise<{ segments: WireSegment[] }> {
  const reply = room.done<{ segments?: WireSegment[]; finish?: () => Promise<object> }>('QuerySegments', ADMIN, {
    body: { limit: 100 },
  })
  return (await (reply.finish?.() ?? reply)) as { segments: WireSegment[] }
}
