import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '#main/lib/clock.ts'
import { systemPrograms } from '#main/server/integrations/program-net.ts'
import { backUp, restore } from '#main/server/store/backup.ts'
import { exportLines } from '#main/server/store/export.ts'
import { unpack, pack } from '#main/server/store/moving/workspace-file.ts'
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

test('a workspace file takes programs along with a passphrase, and without one as a backup does', async () => {
  const source = join(folder, 'moving')
  const saved = join(folder, 'saved')
  for (const each of [source, saved]) mkdirSync(each)
  const { server } = await startWorkspace({ dataFolder: source })
  const hook = await make(server, { kind: 'incoming', name: 'Build server', cid: CID })
  await server.stopAll()
  const beside = new Set<string>()
  const options = { force: false, nowMs: systemClock.now() }
  const onProgress = (): void => readdirSync(saved).forEach((name) => beside.add(name))
  await pack(source, join(saved, 'open'), { ...options, onProgress })
  await pack(source, join(saved, 'sealed'), { ...options, passphrase: 'seven lamps in a row', onProgress })
  await unpack(join(saved, 'open'), join(folder, 'without'), {})
  await unpack(join(saved, 'sealed'), join(folder, 'with'), { passphrase: 'seven lamps in a row' })
  const answers: [boolean, number][] = []
  for (const name of ['without', 'with']) {
    const again = await startTestServer({ dataFolder: join(folder, name), programs: systemPrograms })
    const { integrations = [] } = await act(again, { action: 'list' })
    const { status } = await fetch(hook.secret.replace(server.url, again.url), { method: 'POST', body: '{"text":"x"}' })
    answers.push([integrations.find(({ id }) => id === hook.id)?.paused ?? false, status])
    await again.stopAll()
  }

  expect(answers).toEqual([
    [true, 404],
    [false, 200],
  ])
  // The copy of the database that is not encrypted is never where the file is saved.
  expect([...beside].toSorted()).toEqual(['open', 'open.part', 'sealed.part'])
  expect(readdirSync(source)).not.toContain('server.db.packing')
})
