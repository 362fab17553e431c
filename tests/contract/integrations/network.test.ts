import { afterAll, expect, test } from 'vitest'
import { API_KEY, tokenOf } from '../kit.ts'
import { sharedWorkspace } from '../shared-workspace.ts'
import { asServer } from './program.ts'

const shared = await sharedWorkspace()
afterAll(() => shared.server.stopAll())

test('an administrator on another device names no addresses of programs, and may do the rest', async () => {
  await shared.start()
  await asServer(shared.server, '/users', { users: { ann: { id: 'ann', name: 'Ann', role: 'admin' } } })
  const headers = { Authorization: tokenOf('ann'), 'stream-auth-type': 'jwt' }
  const ask = async (body: object) => (await shared.call(`/integrations?api_key=${API_KEY}`, { headers, body })).status
  const url = 'http://127.0.0.1:9/admin'
  expect(await ask({ action: 'probe', kind: 'command', url })).toBe(403)
  expect(await ask({ action: 'create', kind: 'command', name: 'x', command: 'x', url })).toBe(403)
  expect(await ask({ action: 'list' })).toBe(201)
})
