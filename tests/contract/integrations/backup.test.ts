import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '#main/lib/clock.ts'
import { systemPrograms } from '#main/server/integrations/program-net.ts'
import { backUp, restore } from '#main/server/store/backup.ts'
import { exportLines } from '#main/server/store/export.ts'
import { startTestServer } from '../kit.ts'
import { act, CID, make, startWorkspace } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'parlor-programs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a backup has no secrets of programs, and an export has no programs', async () => {
  const source = join(folder, 'source')
  mkdirSync(source)
  const { server } = await startWorkspace({ dataFolder: source })
  const hook = await make(server, { kind: 'incoming', name: 'Build server', cid: CID })
  const key = await make(server, { kind: 'key', name: 'Backup script' })
  const file = join(folder, 'team.parlor')
  await backUp(source, file, { force: false, nowMs: systemClock.now() })
  expect([...exportLines(source)].join('\n')).not.toContain('integration')
  await server.stopAll()
  const bytes = readFileSync(file)
  for (const secret of [hook.secret.slice(-43), key.secret]) expect(bytes.includes(secret)).toBe(false)

  const copy = join(folder, 'copy')
  restore(copy, file, { force: false })
  expect(readFileSync(join(copy, 'server.db')).includes(hook.secret.slice(-43))).toBe(false)
  const again = await startTestServer({ dataFolder: copy, programs: systemPrograms })
  const { integrations = [] } = await act(again, { action: 'list' })
  expect(integrations.map(({ name, paused }) => [name, paused])).toEqual([
    ['Build server', true],
    ['Backup script', true],
  ])
  const old = hook.secret.replace(server.url, again.url)
  expect((await fetch(old, { method: 'POST', body: '{"text":"x"}' })).status).toBe(404)
  await act(again, { action: 'pause', ids: [hook.id], paused: false })
  const { secret = '' } = await act(again, { action: 'reveal', id: hook.id })
  expect((await fetch(secret, { method: 'POST', body: '{"text":"x"}' })).status).toBe(200)
  expect((await act(again, { action: 'pause', ids: [key.id], paused: false })).status).toBe(400)
  await again.stopAll()
})
