import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { codeOf } from '#main/lib/disk-error.ts'
import { nodeDisk } from '#main/lib/sqlite/disk.ts'
import { versionOf } from '#main/lib/sqlite/migrate.ts'
import { copyRecord } from './backup.ts'
import { openDb, openReadOnly } from './db.ts'
import { openStore } from './open.ts'

/** Copies of a database on a disk that is nearly full. */

let folder: string
let from: string
let to: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlor-room-'))
  from = join(folder, 'server.db')
  to = join(folder, 'copy')
  openStore(from).close()
  const db = openDb(from)
  db.changing('integrations').run(
    `INSERT INTO integrations (id, kind, name, secret, created_by, created_at)
     VALUES ('i1', 'incoming', 'Build', 'sesame-open-the-door', 'ann', 1)`,
  )
  db.close()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const roomOf = (bytes: number) => ({ ...nodeDisk, room: () => bytes })
const names = (): string[] => readdirSync(folder).filter((name) => name.startsWith('copy'))

test('without the space for the copy nothing is begun, and how much is needed is said', async () => {
  const copied = copyRecord(from, to, { disk: roomOf(1_000) })

  await expect(copied).rejects.toThrow(/not enough space in .*about 1 MB/)
  await expect(copied).rejects.toSatisfy((error) => codeOf(error) === 'ENOSPC')
  expect(names()).toEqual([])
})

test('without the space to rewrite it the copy is refused, and no draft is left', async () => {
  let asked = 0
  const disk = { ...nodeDisk, room: () => (asked++ === 0 ? 1_000_000_000 : 0) }

  await expect(copyRecord(from, to, { disk })).rejects.toThrow('not enough space')
  expect(names()).toEqual(['copy'])
})

test('what is rewritten is the same database, without the secrets of programs', async () => {
  await copyRecord(from, to)
  const copy = openReadOnly(to)
  const version = versionOf(copy)
  const rows = copy.all('SELECT id, name, secret, paused FROM integrations')
  copy.close()
  const source = openReadOnly(from)
  const before = versionOf(source)
  source.close()

  expect(version).toBe(before)
  expect(rows).toEqual([{ id: 'i1', name: 'Build', secret: null, paused: 1 }])
  expect(readFileSync(to).includes('sesame')).toBe(false)
  expect(names()).toEqual(['copy'])
})
