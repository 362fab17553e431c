import { expect, test } from 'vitest'
import { asUserId } from '#shared/lib/brand.ts'
import type { ServerAccess } from '#main/engine/context.ts'
import { aLoneEngine, aWireUser, FakeApi, refused, type LoneEngine } from '#kit/lone-engine.ts'

/** The viewer's own row, as the server reports it. */
const iAm = (role: string, ms = 0) => ({
  type: 'user.updated' as const,
  created_at: new Date(Date.UTC(2026, 2, 2, 9) + ms).toISOString(),
  user: { ...aWireUser('me'), role, updated_at: new Date(Date.UTC(2026, 2, 2, 9) + ms).toISOString() },
})

const shown = ({ replica }: LoneEngine) => replica.tables.manage?.['self']

async function anEngine(source?: ServerAccess['source']) {
  const own = new FakeApi().on('QueryBannedUsers', () => ({ bans: [] })).on('Unban', () => ({}))
  const server = new FakeApi().on('Unban', () => ({}))
  const access: ServerAccess | undefined = source && { source, api: () => Promise.resolve(server) }
  const lone = await aLoneEngine({ api: own, ...(access ? { server: access } : {}) })
  await lone.online()
  return { lone, own, server }
}

test('nobody administers anything until the server names a role that does', async () => {
  const { lone } = await anEngine()
  expect(shown(lone)).toBeUndefined()
  await lone.hear(iAm('moderator'))
  expect(shown(lone)).toMatchObject({ rights: ['review', 'ban'], source: 'role' })
  await lone.hear(iAm('user', 1))
  expect(shown(lone)).toBeUndefined()
})

test('a call without its right is refused before anything is sent', async () => {
  const { lone, own } = await anEngine()
  const asked = { everywhere: false, ended: false, offset: 0 }
  await expect(lone.engine.handlers.bans.list(asked, lone.client)).rejects.toMatchObject({
    code: 'manage/not-allowed',
    params: { right: 'review' },
  })
  expect(own.to('QueryBannedUsers')).toEqual([])
})

test('the own token is used where the role is enough, the server token for the rest', async () => {
  const { lone, own, server } = await anEngine('secret')
  await lone.hear(iAm('moderator'))
  const bans = [{ userId: asUserId('bo') }]
  await lone.engine.handlers.bans.unban({ bans }, lone.client)
  expect(own.to('Unban')).toEqual([])
  expect(server.to('Unban')).toHaveLength(1)
  await lone.hear(iAm('admin', 1))
  await lone.engine.handlers.bans.unban({ bans }, lone.client)
  expect(own.to('Unban')).toHaveLength(1)
  expect(server.to('Unban')).toHaveLength(1)
})

test('a ban that the server does not remove is reported with its reason, and screens load again', async () => {
  const { lone, own } = await anEngine()
  await lone.hear(iAm('admin'))
  own.on('Unban', ({ body }) => {
    if ((body as { target_user_id: string }).target_user_id === 'eve') throw refused(403, 17)
    return {}
  })
  const bans = [{ userId: asUserId('eve') }, { userId: asUserId('bo') }]
  expect(await lone.engine.handlers.bans.unban({ bans }, lone.client)).toEqual({
    refused: [{ userId: 'eve', code: 'server/not-allowed' }],
  })
  await lone.clock.settle()
  expect(shown(lone)?.changes.bans).toBe(1)
})
