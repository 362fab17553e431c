import { expect, test } from 'vitest'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { aLoneEngine, aWireUser, FakeApi, refused } from '#kit/lone-engine.ts'

/** The list of bans: in force and over, of servers other than our own; found by name. */

type Asked = { readonly payload: { readonly offset: number; readonly filter_conditions: object } }

const DAY_MS = 86_400_000
const PAGE = 100
const aBan = (id: string, more: object = {}) => ({
  user: aWireUser(id),
  shadow: false,
  created_at: new Date(Date.UTC(2026, 0, 2)).toISOString(),
  ...more,
})
const endedAt = (now: number, days: number) => ({ expires: new Date(now - days * DAY_MS).toISOString() })

/** An administrator of a hosted server. */
async function anAdmin() {
  const api = new FakeApi().on('QueryUsers', () => ({ users: [] }))
  const lone = await aLoneEngine({ api: new FakeApi(), server: { source: 'secret', api: () => Promise.resolve(api) } })
  await lone.online()
  const { bans } = lone.engine.handlers
  const list = (input: object) => bans.list({ everywhere: false, ended: false, offset: 0, ...input }, lone.client)
  const asked = (): readonly Asked['payload'][] => api.to('QueryBannedUsers').map(({ body }) => (body as Asked).payload)
  return { lone, api, list, asked }
}

test('a server that forgets removed bans is searched for those whose time was over, the latest first', async () => {
  const { lone, api, list, asked } = await anAdmin()
  const now = lone.clock.now()
  const first = Array.from({ length: PAGE }, (_, at) => aBan(`still-${at}`))
  first[3] = aBan('old', endedAt(now, 9))
  const second = [aBan('later', endedAt(now, 1)), aBan('ahead', endedAt(now, -1))]
  api.on('QueryBannedUsers', ({ body }) => ({ bans: (body as Asked).payload.offset === 0 ? first : second }))
  const { bans, more, onlyExpired } = await list({ ended: true })
  expect(bans.map(({ userId }) => userId)).toEqual(['later', 'old'])
  expect(bans.every(({ endedAt: at }) => at !== undefined && at <= now)).toBe(true)
  expect({ more, onlyExpired }).toEqual({ more: false, onlyExpired: true })
  expect(asked().map(({ offset }) => offset)).toEqual([0, PAGE])
})

test('a person is found by name although this device does not know them', async () => {
  const { api, list, asked } = await anAdmin()
  api.on('QueryBannedUsers', () => ({ bans: [] })).on('QueryUsers', () => ({ users: [aWireUser('zed-7')] }))
  await list({ query: 'zed' })
  expect(asked().at(-1)?.filter_conditions).toMatchObject({
    $or: [{ reason: { $autocomplete: 'zed' } }, { user_id: { $in: ['zed', 'zed-7'] } }],
  })
})

test('where people may not be searched, the reason and known names are searched', async () => {
  const { api, list } = await anAdmin()
  api.on('QueryBannedUsers', () => ({ bans: [aBan('eve')] }))
  api.on('QueryUsers', () => {
    throw refused(403, 17)
  })
  expect((await list({ query: 'eve' })).bans.map(({ userId }) => userId)).toEqual(['eve'])
})

test('of two bans of one person it is said which one the server did not remove', async () => {
  const { lone, api } = await anAdmin()
  const [userId, cid] = [asUserId('eve'), asCid('team:plans')]
  api.on('Unban', ({ body }) => {
    if ((body as { channel_cid?: string }).channel_cid === undefined) return {}
    throw refused(403, 17)
  })
  const { refused: left } = await lone.engine.handlers.bans.unban({ bans: [{ userId }, { userId, cid }] }, lone.client)
  expect(left).toMatchObject([{ userId, cid }])
})
