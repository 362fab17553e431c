import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '#main/server/http/auth/identify.ts'
import { upsertUsers } from '#shared/wire/app.ts'
import { banUser } from '#shared/wire/moderation.ts'
import {
  addSegmentTargets,
  createSegment,
  deleteSegmentTargets,
  getSegment,
  querySegments,
  querySegmentTargets,
  updateSegment,
} from '#shared/wire/campaigns.ts'
import { deactivateUser, deleteUser } from '#shared/wire/users.ts'
import type { Endpoint, ParamsOf } from '#shared/wire/endpoint.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { callAs, connectTo, SECRET, startTestServer, type TestServer } from '../kit.ts'

let server: TestServer
const clock = new ManualClock()
const IDS = Array.from({ length: 120 }, (_, at) => `p${String(at).padStart(3, '0')}`)

beforeAll(async () => {
  server = await startTestServer({ clock })
  for (const part of [IDS.slice(0, 60), IDS.slice(60)]) {
    await admin(
      upsertUsers,
      {},
      { users: Object.fromEntries(part.map((id) => [id, { id, name: id, even: isEven(id) }])) },
    )
  }
})
afterAll(() => server.stopAll())

const isEven = (id: string): boolean => Number(id.slice(1)) % 2 === 0
const admin = <E extends Endpoint>(endpoint: E, params: ParamsOf<E>, body: object = {}, query: object = {}) =>
  callAs(server.url, { userId: '', token: createToken({}, SECRET) }, endpoint, params, { body, query })
const create = async (input: object) => (await admin(createSegment, {}, { type: 'user', ...input })).body.segment
const sizeOf = async (id: string) => (await admin(getSegment, { id })).body.segment.size

test('the size of a segment counts everyone once who matches or is named, and nobody who is deactivated', async () => {
  const { id, size } = await create({ name: 'Even', filter: { even: true } })
  expect(size).toBe(60)
  await admin(addSegmentTargets, { id }, { target_ids: ['p000', 'p001', 'p003'] })
  expect(await sizeOf(id)).toBe(62)
  await admin(deactivateUser, { id: 'p002' }, {})
  expect(await sizeOf(id)).toBe(61)
  expect((await create({ name: 'Nobody' })).size).toBe(0)
  expect((await create({ name: 'All', all_users: true })).size).toBe(119)
})

test('the size of a segment follows every change of people, and of its list', async () => {
  const people = [1, 2, 3, 4].map((n) => ({ id: `s${n}`, name: `Size ${n}`, crew: 'size' }))
  await admin(upsertUsers, {}, { users: Object.fromEntries(people.map((each) => [each.id, each])) })
  const { id } = await create({ name: 'Crew', filter: { crew: 'size' } })
  const { id: banned } = await create({ name: 'Banned', filter: { banned: true, crew: 'size' } })
  const { id: team } = await create({ name: 'Team', filter: { teams: { $contains: 'red' } } })
  const { id: seen } = await create({
    name: 'Seen',
    filter: { last_active: { $gt: '2020-01-01T00:00:00Z' }, crew: 'size' },
  })
  const sizes = async () => [await sizeOf(id), await sizeOf(banned), await sizeOf(team), await sizeOf(seen)]
  expect(await sizes()).toEqual([4, 0, 0, 0])
  await admin(upsertUsers, {}, { users: { s1: { id: 's1', name: 'Size 1', crew: 'other' } } })
  await admin(upsertUsers, {}, { users: { s2: { id: 's2', name: 'Size 2', crew: 'size', teams: ['red'] } } })
  await admin(banUser, {}, { target_user_id: 's3', banned_by_id: 's2' })
  await connectTo(server.url, 's2')
  expect(await sizes()).toEqual([3, 1, 1, 1])
  await admin(addSegmentTargets, { id }, { target_ids: ['p000'] })
  await admin(deleteUser, { id: 's4' }, {}, { hard_delete: true })
  expect(await sizes()).toEqual([3, 1, 1, 1])
  await admin(deleteSegmentTargets, { id }, { target_ids: ['p000'] })
  expect(await sizes()).toEqual([2, 1, 1, 1])
})

test('every change of a segment has a time of its own', async () => {
  const { id, updated_at } = await create({ name: 'One' })
  const times = [updated_at]
  for (const name of ['Two', 'Three'])
    times.push((await admin(updateSegment, { id }, { name })).body.segment.updated_at)
  expect(new Set(times).size).toBe(3)
  expect(times).toEqual(times.toSorted())
})

test('a list is taken whole or not at all, and within its limits', async () => {
  const { id } = await create({ name: 'List' })
  expect((await admin(addSegmentTargets, { id }, { target_ids: ['p001', 'ghost'] })).body.code).toBe(16)
  expect(await sizeOf(id)).toBe(0)
  expect((await admin(addSegmentTargets, { id }, { target_ids: [] })).body.code).toBe(4)
  const tooMany = Array.from({ length: 10_001 }, () => 'p001')
  expect((await admin(addSegmentTargets, { id }, { target_ids: tooMany })).body.code).toBe(4)
  expect((await admin(addSegmentTargets, { id }, { target_ids: IDS })).status).toBe(201)
  expect((await admin(deleteSegmentTargets, { id }, { target_ids: IDS.slice(0, 101) })).body.code).toBe(4)
  expect((await admin(deleteSegmentTargets, { id }, { target_ids: IDS.slice(0, 100) })).status).toBe(201)
  const { targets } = (await admin(querySegmentTargets, { id }, { filter: { target_id: { $gte: 'p110' } } })).body
  expect(targets.map((each) => each.target_id)).toEqual(IDS.slice(110))
})

test('names and descriptions have limits', async () => {
  const name = 'x'.repeat(128)
  expect((await create({ name, description: 'y'.repeat(256) })).name).toBe(name)
  expect((await admin(createSegment, {}, { type: 'user', name: `${name}x` })).body.code).toBe(4)
  expect((await admin(createSegment, {}, { type: 'user', description: 'y'.repeat(257) })).body.code).toBe(4)
  expect((await admin(createSegment, {}, { name: 'no type' })).body.code).toBe(4)
})

test('segments are read in pages, sorted', async () => {
  const names: string[] = []
  let next: string | undefined
  do {
    const body = { filter: { type: 'user' }, sort: [{ field: 'name', direction: 1 }], limit: 2, next }
    const page = (await admin(querySegments, {}, body)).body
    names.push(...page.segments.map((each) => each.name))
    next = page.next
  } while (next !== undefined)
  expect(names).toEqual(names.toSorted())
  expect(names.length).toBeGreaterThan(4)
})
