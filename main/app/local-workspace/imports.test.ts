import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeHost } from '#kit/fake-host.ts'
import { NO_IMPORT, type ImportState } from '#shared/domain/imports.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { ImportAction } from '#shared/wire/sharing.ts'
import type { CallWindow } from '../windows/windows.ts'
import { HistoryImports } from './imports.ts'
import type { LocalWorkspace } from './local-workspace.ts'

let world: FakeHost
beforeEach(() => {
  world = new FakeHost()
})
afterEach(() => world.dispose())

const OWN: AccountRef = { kind: 'own', userId: 'ann', name: 'Cairn', place: 'own' }
const HOSTED = { kind: 'hosted', url: 'https://a.example', apiKey: 'k', userId: 'ann' } as unknown as AccountRef

/** A workspace whose server answers with these states. */
function anImport(ref: AccountRef | undefined = OWN, role = 'admin') {
  const sent: ImportAction[] = []
  let state: ImportState = NO_IMPORT
  const send = (_endpoint: unknown, { body }: { body?: ImportAction }): Promise<object> => {
    if (body === undefined) return Promise.resolve({ users: [{ id: 'ann', role }] })
    sent.push(body)
    return Promise.resolve({ import: state })
  }
  const calls = new HistoryImports({
    host: world.host,
    refOf: () => ref,
    workspace: () => ({ serverApi: () => Promise.resolve({ send }) }) as unknown as LocalWorkspace,
    translate: (_area, key) => key,
  }).calls()
  const context = { window: { id: 'w1', push: () => undefined } } as unknown as CallWindow
  return { calls, context, sent, become: (next: ImportState) => void (state = next) }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const copies = () => join(world.data, 'workspaces', 'own', 'imports')

test('an export is copied next to the workspace, and its server reads the copy', async () => {
  const { calls, context, sent } = anImport()
  const { id } = await calls.begin({ source: 'slack', name: 'a.zip' }, context)
  await calls.piece({ id, path: 'a.zip', base64: base64('PK') }, context)
  await calls.piece({ id, path: 'a.zip', base64: base64('!') }, context)
  const action = calls.check({ id }, context)
  expect(readFileSync(join(copies(), id, 'a.zip'), 'utf8')).toBe('PK!')
  await action

  expect(sent.at(-1)).toEqual({ action: 'check', source: 'slack', path: join(copies(), id, 'a.zip'), name: 'a.zip' })
})

test('of several files the server reads the folder', async () => {
  const { calls, context, sent } = anImport()
  const { id } = await calls.begin({ source: 'telegram', name: 'Export' }, context)
  for (const path of ['result.json', 'photos/a.jpg']) await calls.piece({ id, path, base64: base64('x') }, context)
  await calls.check({ id }, context)

  expect(sent.at(-1)).toMatchObject({ path: join(copies(), id) })
})

test('the copy is removed once nothing needs it, also one of an earlier run', async () => {
  const { calls, context, become } = anImport()
  const { id } = await calls.begin({ source: 'slack', name: 'a.zip' }, context)
  await calls.piece({ id, path: 'a.zip', base64: base64('PK') }, context)
  become({ progress: { step: 'running', done: 1, total: 2, channel: '' } })
  await calls.check({ id }, context)
  expect(readdirSync(copies())).toEqual([id])

  const later = anImport()
  await later.calls.state(undefined, later.context)
  expect(existsSync(copies())).toBe(false)
})

test('the copy is removed when handing it over is cancelled', async () => {
  const { calls, context } = anImport()
  const { id } = await calls.begin({ source: 'slack', name: 'a.zip' }, context)
  await calls.piece({ id, path: 'a.zip', base64: base64('PK') }, context)
  await calls.close(undefined, context)
  expect(existsSync(copies())).toBe(false)
})

test('the copy stays while its server is told of it, whoever asks meanwhile', async () => {
  const { calls, context } = anImport()
  const { id } = await calls.begin({ source: 'slack', name: 'a.zip' }, context)
  await calls.piece({ id, path: 'a.zip', base64: base64('PK') }, context)
  await Promise.all([calls.check({ id }, context), calls.state(undefined, context)])
  expect(existsSync(join(copies(), id, 'a.zip'))).toBe(true)
})

test('a second export is refused while one is under way', async () => {
  const { calls, context, become } = anImport()
  become({ progress: { step: 'paused', done: 1, total: 2, channel: '' } })
  await expect(calls.begin({ source: 'slack', name: 'b.zip' }, context)).rejects.toMatchObject({ code: 'imports/busy' })
})

test('pieces of an export that is not open any more are refused', async () => {
  const { calls, context } = anImport()
  await calls.begin({ source: 'slack', name: 'a.zip' }, context)
  await expect(
    calls.piece({ id: 'other', path: 'a.zip', base64: base64('x') }, context) as Promise<void>,
  ).rejects.toMatchObject({ code: 'imports/closed' })
})

test('hosted accounts and people without the role have no import', async () => {
  const hosted = anImport(HOSTED)
  const member = anImport(OWN, 'user')

  expect(await hosted.calls.state(undefined, hosted.context)).toEqual(NO_IMPORT)
  expect(await member.calls.state(undefined, member.context)).toEqual(NO_IMPORT)
  for (const { calls, context } of [hosted, member]) {
    await expect(calls.begin({ source: 'slack', name: 'a' }, context)).rejects.toMatchObject({
      code: 'imports/not-allowed',
    })
    await expect(calls.undo(undefined, context)).rejects.toMatchObject({ code: 'imports/not-allowed' })
  }
  expect([...hosted.sent, ...member.sent]).toEqual([])
})
