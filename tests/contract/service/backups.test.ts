import { openSync, readdirSync, statSync, writeSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createToken } from '#main/server/http/auth/identify.ts'
import { readFileSync } from 'node:fs'
import { ending, newFolder, serving, stop, type Service } from './service.ts'

/** A person's message and file in a running workspace. */
async function written({ line }: Service, folder: string): Promise<void> {
  const secret = readFileSync(join(folder, 'secret'), 'utf8').trim()
  const headers = {
    Authorization: createToken({ userId: 'ann', issuedAtMs: Date.now() }, secret),
    'stream-auth-type': 'jwt',
  }
  const call = async (path: string, init: RequestInit): Promise<void> => {
    const response = await fetch(`${line.url}${path}?api_key=${line.apiKey}&user_id=ann`, { method: 'POST', ...init })
    await response.text()
    expect(response.status).toBe(201)
  }
  const json = (body: object): RequestInit => ({
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  await call('/users', { ...json({ users: { ann: { id: 'ann', name: 'Ann' } } }) })
  await call('/channels/messaging/team/query', json({ data: { members: ['ann'] } }))
  await call('/channels/messaging/team/message', json({ message: { text: 'the plan' } }))
  const form = new FormData()
  form.append('file', new Blob(['bytes'], { type: 'text/plain' }), 'plan.txt')
  await call('/channels/messaging/team/file', { headers, body: form })
}

const backupsIn = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name))

test('a running server makes backups that only their owner reads, and one of them brings the workspace back', async () => {
  const [folder, backups, elsewhere] = [newFolder(), join(newFolder(), 'backups'), newFolder()]
  const first = await serving(['--data', folder])
  await written(first, folder)
  await stop(first.child)
  const second = await serving(['--data', folder, '--backups', backups])
  await second.logged('backed-up')
  await stop(second.child)
  const [file = '', ...more] = backupsIn(backups)
  const checked = await ending(['verify', file])
  const restored = await ending(['restore', file, '--data', elsewhere])
  const exported = await ending(['export', '-', '--data', elsewhere])

  expect(more).toEqual([])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(checked).toEqual({
    code: 0,
    out: expect.stringMatching(/ is whole: a workspace with 1 uploads, backed up at 20.*Z\.\n$/) as string,
    err: '',
  })
  expect(restored.out).toBe('Restored with 1 uploads.\n')
  expect(exported.out).toContain('the plan')
})

test('a backup with one wrong byte is neither whole nor restored', async () => {
  const folder = newFolder()
  const service = await serving(['--data', folder])
  await written(service, folder)
  const file = join(newFolder(), 'team.parlor')
  const made = await ending(['backup', file, '--data', folder])
  await stop(service.child)
  const at = readFileSync(file).lastIndexOf('bytes')
  const handle = openSync(file, 'r+')
  writeSync(handle, 'BYTES', at)
  closeSync(handle)
  const [checked, restored] = [await ending(['verify', file]), await ending(['restore', file, '--data', newFolder()])]

  const line = 'The backup is damaged, and nothing was restored from it. Use another one.\n'
  expect(made.code).toBe(0)
  expect([checked, restored].map(({ code, out, err }) => [code, out, err])).toEqual([
    [1, '', line],
    [1, '', line],
  ])
})
