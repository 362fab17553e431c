import { join } from 'node:path'
import { symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { strToU8, zipSync } from 'fflate'
import { textLength } from '#shared/rules/messages/text.ts'
import type { ImportSource } from '#shared/domain/imports.ts'
import { openArchive } from '#main/server/imports/history.ts'
import type { ImportRow } from '#main/server/imports/import-tables.ts'
import { ImportWriter, loadEmojiNames } from '#main/server/imports/writer.ts'
import { startImporter, type Importer } from './importer.ts'
import {
  BASE,
  DISCORD,
  MATTERMOST_LINES,
  PIXEL,
  SLACK,
  TELEGRAM_CHAT,
  writeFolder,
  writeZip,
  zipped,
  type Files,
} from './samples.ts'

/** Exports made to do harm, or damaged on their way: refused in words, or read as far as they can be. */

let importer: Importer
beforeEach(async () => {
  importer = await startImporter()
})
afterEach(() => importer.stop())

const path = (): string => join(importer.folder, 'export.zip')
const zip = (files: Files): string => writeZip(path(), files)

async function refusal(source: ImportSource, file: string) {
  await importer.ask({ action: 'check', source, path: file, name: 'x.zip' })
  const progress = await importer.settled()
  return progress.step === 'refused' ? progress.refusal.reason : progress.step
}

/** Changes the size that the central directory declares for an entry. */
function declaring(bytes: Uint8Array, name: string, size: number): Buffer {
  const archive = Buffer.from(bytes)
  let at = archive.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'))
  while (at >= 0) {
    const length = archive.readUInt16LE(at + 28)
    if (archive.toString('utf8', at + 46, at + 46 + length) === name) archive.writeUInt32LE(size, at + 24)
    at = archive.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'), at + 4)
  }
  return archive
}

test('an archive that says it unpacks to far more than its size is refused unread', async () => {
  writeFileSync(path(), declaring(zipped(SLACK), 'users.json', 4_000_000_000))
  expect(await refusal('slack', path())).toBe('bomb')
})

test('an archive that unpacks to more than it says is refused while it is read', async () => {
  const day = 'general/2023-11-20.json'
  writeFileSync(path(), declaring(zipped({ ...SLACK, [day]: ' '.repeat(5_000_000) }), day, 100))
  expect(await refusal('slack', path())).toBe('damaged')
})

test('a file that unpacks to more than it says is left out, and its message stays', async () => {
  const name = '__uploads/F0PIXEL1/dot.png'
  writeFileSync(path(), declaring(zipped({ ...SLACK, [name]: new Uint8Array(3_000_000) }), name, 50))
  expect(await importer.import('slack', path())).toBe(8)
  expect(importer.all('SELECT id FROM uploads')).toEqual([])
})

test.each(['../../evil.json', '/etc/evil.json', 'C:/evil.json'])(
  'an archive with the name %s is refused',
  async (name) => {
    writeFileSync(path(), zipSync({ 'channels.json': strToU8('[]'), [name]: strToU8('{}') }))
    expect(await refusal('slack', path())).toBe('names')
  },
)

test('paths inside an export lead to its own entries alone', async () => {
  writeFileSync(join(importer.folder, 'secret.txt'), 'secret')
  const message = { id: 2, type: 'message', date_unixtime: String(BASE), from: 'A', from_id: 'user1', text: 'x' }
  const messages = [
    { ...message, file: '../secret.txt' },
    { ...message, id: 3, file: join(importer.folder, 'secret.txt') },
    { ...message, id: 4, file: 'link.txt' },
  ]
  const folder = writeFolder(join(importer.folder, 'export'), {
    'result.json': JSON.stringify({ name: 'Chat', type: 'private_group', id: 1, messages }),
  })
  symlinkSync(join(importer.folder, 'secret.txt'), join(folder, 'link.txt'))
  expect(await importer.import('telegram', folder)).toBe(3)
  expect(importer.all('SELECT id FROM uploads')).toEqual([])
})

test.each([
  ['a truncated archive', () => zipped(SLACK).subarray(0, 900)],
  ['bytes that are none', () => Buffer.from('PK\u0003\u0004 and nothing of a ZIP', 'latin1')],
  ['an empty file', () => Buffer.alloc(0)],
])('%s is refused', async (_name, bytes) => {
  writeFileSync(path(), bytes())
  expect(['damaged', 'not-one']).toContain(await refusal('slack', path()))
})

test('a file that is gone is said to be', async () => {
  expect(await refusal('discord', join(importer.folder, 'nothing'))).toBe('gone')
})

test('broken lines, unknown kinds and wrong types are counted, and the rest comes', async () => {
  const lines = [
    ...MATTERMOST_LINES.split('\n'),
    '{"type":"post","post":{"user":7,"create_at":"now"}}',
    '{"type":"post","post":null}',
    '{"type":["post"]}',
    '[[[[',
    '{"type":"post","post":{"team":"cairn","channel":"nowhere","user":"tom","message":"x","create_at":1700000000000}}',
    `{"type":"direct_channel","direct_channel":{"members":"${'x'.repeat(1_000)}"}}`,
  ]
  const check = await importer.check('mattermost', zip({ 'x.jsonl': lines.join('\n') }))

  expect(check.figures.messages).toBe(3)
  expect(check.left).toMatchObject({ broken: 5, unknown: 2 })
})

test('a result that is cut off gives what came before the end', async () => {
  const whole = String(TELEGRAM_CHAT['result.json'])
  const folder = writeFolder(join(importer.folder, 'export'), {
    'result.json': whole.slice(0, whole.indexOf('"id":4')),
  })
  const check = await importer.check('telegram', folder)

  expect(check.figures.messages).toBe(2)
  expect(check.left).toMatchObject({ broken: 1 })
})

test('people who are not described, future times, huge texts and replies to nothing come, and are said', async () => {
  const day = [
    { type: 'message', user: 'UNOBODY', ts: `${BASE}.000001`, text: '😀'.repeat(30_000) },
    { type: 'message', user: 'UNOBODY', ts: '4102444800.000000', text: 'from 2100' },
    { type: 'message', user: 'UNOBODY', ts: `${BASE}.000003`, thread_ts: '1.000000', text: 'reply to nothing' },
    { type: 'message', user: 'UNOBODY', ts: `${BASE}.000003`, text: 'the same id again' },
    { type: 'message', user: 'UNOBODY', ts: '-5', text: 'no time' },
    {
      type: 'message',
      user: '__proto__',
      ts: `${BASE}.000004`,
      text: 'odd',
      reactions: [{ name: '__proto__', users: ['constructor'] }],
    },
    null,
    7,
  ]
  const file = zip({
    'channels.json': JSON.stringify([
      { id: '__proto__', name: 'x', members: {} },
      { id: 'C1', name: '' },
    ]),
    'users.json': JSON.stringify([{ id: null }, 'x', { id: 'U1', profile: 'none' }]),
    'x/2023-11-20.json': JSON.stringify(day),
  })
  const check = await importer.check('slack', file)
  await importer.ask({ action: 'close' })

  expect(check.left).toEqual({ broken: 4, 'long-texts': 1, 'future-times': 1, orphans: 1, 'unknown-people': 2 })
  expect(await importer.import('slack', file)).toBe(4)
  const rows = importer.all<{ text: string; created_at: number }>(
    'SELECT text, created_at FROM messages ORDER BY created_at',
  )
  expect(textLength(rows[0]?.text ?? '')).toBe(20_000)
  expect(rows.at(-1)?.created_at).toBeLessThan(Date.now() * 1_000 + 1)
})

test('deep nesting and endless lines end nothing', async () => {
  const deep = `{"name":"x","id":1,"messages":[{"id":2,"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}]}`
  const folder = writeFolder(join(importer.folder, 'deep'), { 'result.json': deep })
  expect((await importer.check('telegram', folder)).left).toMatchObject({ broken: 1 })
  await importer.ask({ action: 'close' })

  const lines = `${MATTERMOST_LINES}\n{"type":"post","post":"${'x'.repeat(17 * 1024 ** 2)}"}\n`
  const check = await importer.check('mattermost', writeFolder(join(importer.folder, 'long'), { 'a.jsonl': lines }))
  expect(check.left).toMatchObject({ broken: 1 })
})

test('a file of another program inside the folder is passed over', async () => {
  const folder = writeFolder(join(importer.folder, 'export'), {
    ...DISCORD,
    'other.json': '{"a":1}',
    'pixel.png': PIXEL,
  })
  expect((await importer.check('discord', folder)).left).toMatchObject({ unknown: 1 })
})

test('messages that are large are not kept until there are many', async () => {
  const text = 'x'.repeat(3_000_000)
  const writer = new ImportWriter(
    importer.server.services,
    { source: 'slack', facts: '{"skipped":[]}' } as ImportRow,
    await openArchive(zip(SLACK)),
    await loadEmojiNames(),
  )
  const full = ['1', '2', '3'].map((id) =>
    writer.take({ kind: 'message', message: { id, author: 'U1', channel: 'C1', at: BASE, text } }),
  )

  expect(full).toEqual([false, false, true])
})

test('a list that ends too early is refused, and a day that does gives what came before', async () => {
  const day = String(SLACK['general/2023-11-20.json'])
  const cut = zip({ ...SLACK, 'general/2023-11-20.json': day.slice(0, day.indexOf('*Yes*')) })
  expect((await importer.check('slack', cut)).left).toMatchObject({ broken: 1 })
  await importer.ask({ action: 'close' })

  expect(await refusal('slack', zip({ ...SLACK, 'users.json': '[{"id":"U1"},' }))).toBe('damaged')
  expect(await refusal('slack', zip({ ...SLACK, 'users.json': '{"id":"U1"}' }))).toBe('damaged')
})

test('a list of more than anybody has is refused', { timeout: 60_000 }, async () => {
  const list = `[${'7,'.repeat(500_001)}7]`
  writeFolder(join(importer.folder, 'many'), { ...SLACK, 'users.json': list })
  expect(await refusal('slack', join(importer.folder, 'many'))).toBe('bomb')
})
