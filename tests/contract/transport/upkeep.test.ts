import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryChannel } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import { systemClock } from '#main/lib/clock.ts'
import { readArguments } from '#main/server/command-line/arguments.ts'
import { EXPORT_TYPES } from '#main/server/store/export.ts'
import { openStore } from '#main/server/store/open.ts'
import { runServerCommand } from '#main/server/command-line/commands.ts'
import { verifyToken } from '#main/server/http/auth/identify.ts'
import { ROWS } from '#kit/store-rows.ts'
import { callAs, SECRET, startTestServer, tokenOf, type TestServer } from '../kit.ts'

const PARAMS = { type: 'messaging', id: 'kept' }
const folders: string[] = []
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-upkeep-'))
  folders.push(folder)
  return folder
}
let source: TestServer
let fileUrl: string
const PICTURE = Buffer.from('just some words in a file, '.repeat(90_000))

beforeAll(async () => {
  source = await startTestServer({ dataFolder: newFolder() })
  const ann = await source.connect('ann', { name: 'Ann Kowalska' })
  await ann.call(queryChannel, PARAMS, { body: { data: { members: ['ann'] } } })
  await ann.call(sendMessage, PARAMS, { body: { message: { id: 'm1', text: 'first of all' } } })
  fileUrl = await upload(source, 'notes.txt', PICTURE)
})
afterAll(async () => {
  await source.stopAll()
  folders.forEach((folder) => rmSync(folder, { recursive: true, force: true }))
})

async function upload({ url }: TestServer, name: string, bytes: Buffer): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'text/plain' }), name)
  const answer = await fetch(`${url}/channels/messaging/kept/file?api_key=test-key`, {
    method: 'POST',
    headers: { authorization: tokenOf('ann'), 'stream-auth-type': 'jwt' },
    body: form,
  })
  return ((await answer.json()) as { file: string }).file
}

/** Runs a command as the shell would; returns its messages, and what it writes to standard output. */
async function runCommand(...text: string[]): Promise<{ summary: string; out: string }> {
  const given = readArguments(text)
  if (typeof given === 'string') throw new Error(given)
  let out = ''
  const sink = new Writable({
    write(part, _encoding, done) {
      out += String(part)
      done()
    },
  })
  const summary = await runServerCommand(given, { clock: systemClock, secret: SECRET, out: sink })
  return { summary, out }
}

const textsOf = async (server: TestServer): Promise<string[]> => {
  const answer = await callAs(server.url, { userId: 'ann' }, queryChannel, PARAMS, {
    body: { messages: { limit: 100 } },
  })
  return (answer.body.messages ?? []).map((message) => message.text ?? '')
}

test('a running workspace is backed up with its files, restored elsewhere, and served from there', async () => {
  const file = join(newFolder(), 'all.parlor')
  const sending = Promise.all(
    Array.from({ length: 40 }, (_none, n) =>
      callAs(source.url, { userId: 'ann' }, sendMessage, PARAMS, {
        body: { message: { id: `while-${n}`, text: `while ${n}` } },
      }),
    ),
  )
  expect((await runCommand('backup', file, '--data', source.folder)).summary).toContain('with 1 uploads')
  await sending
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(file, '..'))).toEqual(['all.parlor'])

  const target = newFolder()
  expect((await runCommand('restore', file, '--data', target)).summary).toBe('Restored with 1 uploads.')
  const restored = await startTestServer({ dataFolder: target })
  expect((await textsOf(restored))[0]).toBe('first of all')
  const old = new URL(new URL(fileUrl).pathname, restored.url)
  const served = await fetch(old, { headers: { Authorization: tokenOf('ann') } })
  expect(Buffer.from(await served.arrayBuffer()).equals(PICTURE)).toBe(true)
  await restored.stopAll()
})

test('a backup holds no keys', async () => {
  const folder = newFolder()
  openStore(join(folder, 'server.db')).close()
  writeFileSync(join(folder, 'secret'), 'secret-that-must-not-travel')
  const file = join(newFolder(), 'b.parlor')
  await runCommand('backup', file, '--data', folder)
  expect(readFileSync(file).includes('secret-that-must-not-travel')).toBe(false)
})

test('nothing is overwritten without --force, and a running server is never restored into', async () => {
  const file = join(newFolder(), 'b.parlor')
  await runCommand('backup', file, '--data', source.folder)
  await expect(runCommand('backup', file, '--data', source.folder)).rejects.toThrow(/--force/)
  await runCommand('backup', file, '--data', source.folder, '--force')
  const before = await textsOf(source)
  await expect(runCommand('restore', file, '--data', source.folder, '--force')).rejects.toThrow(
    /is running on this folder\. Stop it/,
  )
  expect(await textsOf(source)).toEqual(before)

  const used = newFolder()
  openStore(join(used, 'server.db')).close()
  const bytes = readFileSync(join(used, 'server.db'))
  await expect(runCommand('restore', file, '--data', used)).rejects.toThrow(/--force/)
  await runCommand('restore', file, '--data', used, '--force')
  expect(readFileSync(join(used, 'before-restore-1', 'server.db')).equals(bytes)).toBe(true)
})

test('a damaged, foreign or cut backup restores nothing', async () => {
  const file = join(newFolder(), 'b.parlor')
  await runCommand('backup', file, '--data', source.folder)
  const whole = readFileSync(file)
  const target = newFolder()
  const cases: readonly (readonly [Buffer, RegExp])[] = [
    [whole.subarray(0, Math.floor(whole.length / 2)), /damaged/],
    [turned(whole, whole.length - 700_000), /damaged/],
    [Buffer.from('shopping list'), /no backup/],
    [readFileSync(join(source.folder, 'server.db')), /no backup/],
  ]
  for (const [bytes, says] of cases) {
    writeFileSync(file, bytes)
    await expect(runCommand('restore', file, '--data', target)).rejects.toThrow(says)
    expect(readdirSync(target).filter((name) => name !== 'server.lock')).toEqual([])
  }
})

/** One byte of the contents is flipped: the structure stays valid, only the checksums can tell. */
function turned(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 0xff
  return copy
}

test('a damaged workspace is not backed up as if it were intact', async () => {
  const { folder } = damagedWorkspace()
  const file = join(newFolder(), 'b.parlor')
  await expect(runCommand('backup', file, '--data', folder)).rejects.toThrow(/damaged/)
  expect(readdirSync(join(file, '..'))).toEqual([])
})

function damagedWorkspace(): { folder: string; path: string } {
  const folder = newFolder()
  const path = join(folder, 'server.db')
  const db = openStore(path)
  for (const { sql } of ROWS) db.exec(sql)
  db.close()
  const pages = new Database(path, { readonly: true })
  const leaves = pages
    .prepare<[], { page: number }>("SELECT pageno AS page FROM dbstat WHERE name = 'messages' AND pagetype = 'leaf'")
    .all()
  pages.close()
  const file = openSync(path, 'r+')
  for (const { page } of leaves.slice(leaves.length / 2, leaves.length / 2 + 2))
    writeSync(file, Buffer.alloc(4_096, 0x5a), 0, 4_096, (page - 1) * 4_096)
  closeSync(file)
  return { folder, path }
}

test('what can be read of a damaged workspace is preserved, and the damaged file set aside', async () => {
  const { folder, path } = damagedWorkspace()
  const { summary } = await runCommand('salvage', '--data', folder)
  expect(existsSync(`${path}.damaged-1`)).toBe(true)
  expect(Number(/Recovered (\d+) rows/.exec(summary)?.[1])).toBeGreaterThan(600)
  const db = openStore(path)
  expect(db.pragma('integrity_check')).toBe('ok')
  expect(db.get('SELECT name FROM users WHERE id = ?', 'ann')).toEqual({ name: 'Ann Żak' })
  expect(db.all('SELECT * FROM pragma_foreign_key_check')).toEqual([])
  expect(db.get<{ n: number }>('SELECT count(*) AS n FROM messages')?.n).toBeGreaterThan(600)
  db.close()
  await expect(runCommand('salvage', '--data', folder)).rejects.toThrow(/nothing to salvage/)
})

type Line = { type: string; item: Record<string, unknown> }

test('everything is exported as JSON lines, one moment of a running workspace, without keys and shadow-banned messages', async () => {
  const folder = newFolder()
  const db = openStore(join(folder, 'server.db'))
  for (const { sql } of ROWS) db.exec(sql)
  const { out } = await runCommand('export', '-', '--data', folder)
  db.close()
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  expect([...new Set(lines.map((line) => line.type))]).toEqual(EXPORT_TYPES)
  const find = (type: string, id: string) => lines.find((line) => line.type === type && line.item['id'] === id)?.item
  expect(find('message', 'm1')).toEqual({
    channel_type: 'team',
    channel_id: 'a',
    id: 'm1',
    user: 'ann',
    type: 'regular',
    text: 'Zażółć gęślą jaźń',
    mood: 'calm',
    attachments: [{ type: 'file', asset_url: 'u' }],
    mentioned_users_ids: ['bob'],
    pinned_at: '1970-01-01T00:00:00.000060Z',
    pinned_by: 'ann',
    pin_expires: expect.any(String) as string,
    created_at: '1970-01-01T00:00:00.000010Z',
    updated_at: '1970-01-01T00:00:00.000010Z',
    silent: false,
    show_in_channel: false,
  })
  expect(find('user', 'ann')).toMatchObject({ name: 'Ann Żak', role: 'admin', title: 'Cook', language: 'pl' })
  expect(find('message', 'm5')).toBeUndefined()
  expect(find('message', 'm4')).toMatchObject({ type: 'deleted', deleted_at: '1970-01-01T00:00:00.000041Z' })
  expect(out).not.toContain('skreślone')
  expect(lines.filter((line) => line.type === 'message')).toHaveLength(1_004)
})

test('no line of an export refers to a later one', async () => {
  const folder = newFolder()
  const db = openStore(join(folder, 'server.db'))
  for (const { sql } of ROWS) db.exec(sql)
  db.close()
  const { out } = await runCommand('export', '-', '--data', folder)
  const known = new Set<string>()
  const early: string[] = []
  for (const { type, item } of out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)) {
    const named = {
      user: item['user'] ?? item['user_id'],
      message: item['message_id'] ?? item['parent_id'],
      channel: item['channel_id'],
    }
    for (const [kind, id] of Object.entries(named)) {
      if (typeof id === 'string' && !(type === 'ban' && kind === 'channel') && !known.has(`${kind} ${id}`))
        early.push(`${type}: ${kind} ${id}`)
    }
    known.add(`${type} ${String(item['id'])}`)
  }
  expect(early).toEqual([])
})

test('an export into a file is private and complete, and does not overwrite', async () => {
  const file = join(newFolder(), 'all.jsonl')
  expect((await runCommand('export', file, '--data', source.folder)).summary).toMatch(/^Exported \d+ lines to/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8').endsWith('}\n')).toBe(true)
  await expect(runCommand('export', file, '--data', source.folder)).rejects.toThrow(/--force/)
})

test('a token expires when it should, and can be revoked', async () => {
  const { summary } = await runCommand('token', 'ann', '--data', source.folder, '--expires', '1h')
  const now = Date.now()
  expect(verifyToken(summary, SECRET, now)).toMatchObject({
    ok: true,
    claims: { userId: 'ann', issuedAt: expect.any(Number) as number },
  })
  expect(verifyToken(summary, SECRET, now + 3_700_000)).toMatchObject({ ok: false, code: 'tokenExpired' })
  await expect(runCommand('token', 'ann', '--data', source.folder, '--expires', 'soon')).rejects.toThrow(/90m/)
})
