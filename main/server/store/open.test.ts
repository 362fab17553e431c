import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { ROWS } from '#kit/store-rows.ts'
import { openStore, readMeta } from './open.ts'
import { StoreProblem } from './db.ts'

const folders: string[] = []
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-open-'))
  folders.push(folder)
  return folder
}
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

const DAY = 86_400_000

/** A workspace with rows. `killed`: left by a process that could not close it. */
function aWorkspace({ killed }: { killed: boolean }): { folder: string; path: string } {
  const folder = newFolder()
  const path = join(folder, 'server.db')
  const db = openStore(path, { now: DAY })
  for (const { sql } of ROWS) db.exec(sql)
  if (!killed) db.close()
  else {
    const left = newFolder()
    db.pragma('wal_checkpoint(TRUNCATE)')
    for (const name of ['server.db', 'workspace-id']) copyFileSync(join(folder, name), join(left, name))
    db.close()
    return { folder: left, path: join(left, 'server.db') }
  }
  return { folder, path }
}

/** Overwrites bytes in the middle of the file: it can still be opened. */
function damage(path: string): void {
  const size = readFileSync(path).length
  const file = openSync(path, 'r+')
  for (let page = 8; page < size / 4096 - 1; page += 3)
    writeSync(file, Buffer.alloc(2_000, 0x5a), 0, 2_000, page * 4096 + 100)
  closeSync(file)
}

function problemOf(path: string, now = DAY): string {
  try {
    openStore(path, { now }).close()
    return 'none'
  } catch (error) {
    return error instanceof StoreProblem ? error.kind : String(error)
  }
}

test('a second server cannot open the folder until the first one has closed it', () => {
  const path = join(newFolder(), 'server.db')
  const first = openStore(path)
  expect(problemOf(path)).toBe('in-use')
  first.close()
  expect(problemOf(path)).toBe('none')
})

test('a workspace in use can be read by another process', () => {
  const path = join(newFolder(), 'server.db')
  const db = openStore(path)
  for (const { sql } of ROWS) db.exec(sql)
  const beside = new Database(path, { readonly: true })
  expect(beside.prepare('SELECT count(*) AS n FROM messages').get()).toEqual({ n: 1_005 })
  beside.close()
  db.close()
})

test('a damaged file is detected after an unclean end, reported, and left unchanged', () => {
  const { path } = aWorkspace({ killed: true })
  damage(path)
  const bytes = readFileSync(path)
  expect(() => openStore(path, { now: DAY })).toThrow(/damaged server\.db\. Nothing was changed\. .*restore FILE/)
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

test('a damaged file is detected within a week after a clean end', () => {
  const { path } = aWorkspace({ killed: false })
  damage(path)
  expect(problemOf(path, 9 * DAY)).toBe('damaged')
})

test('a successful check is valid for a week', () => {
  const { path } = aWorkspace({ killed: false })
  const checkedAt = (now: number): string | undefined => {
    const db = openStore(path, { now })
    const at = readMeta(db, 'checked')
    db.close()
    return at
  }
  expect([checkedAt(2 * DAY), checkedAt(8.5 * DAY), checkedAt(9 * DAY)]).toEqual(
    [DAY, 8.5 * DAY, 8.5 * DAY].map(String),
  )
})

test.each([
  ['emptied', 'vanished', (path: string) => truncateSync(path, 0)],
  ['removed', 'vanished', (path: string) => rmSync(path)],
  ['cut in half', 'damaged', (path: string) => truncateSync(path, Math.floor(readFileSync(path).length / 2))],
  ['replaced by a text', 'damaged', (path: string) => writeFileSync(path, 'shopping list\n'.repeat(500))],
  ['replaced by another program’s database', 'foreign', (path: string) => otherDatabase(path)],
  [
    'replaced by another workspace',
    'replaced',
    (path: string) => copyFileSync(aWorkspace({ killed: false }).path, path),
  ],
])('a file that was %s is detected', (_how, kind, change) => {
  const { path } = aWorkspace({ killed: true })
  change(path)
  const before = bytesOf(path)
  expect(problemOf(path)).toBe(kind)
  expect(bytesOf(path).equals(before)).toBe(true)
})

const bytesOf = (path: string): Buffer => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0))

function otherDatabase(path: string): void {
  rmSync(path)
  const other = new Database(path)
  other.exec('CREATE TABLE songs (title TEXT)')
  other.close()
}

test('a workspace from before the marks is adopted', () => {
  const { path, folder } = aWorkspace({ killed: false })
  const old = new Database(path)
  old.pragma('application_id = 0')
  old.exec("DELETE FROM meta WHERE key IN ('clean', 'checked', 'workspace')")
  old.close()
  rmSync(join(folder, 'workspace-id'))
  expect(problemOf(path)).toBe('none')
  expect(existsSync(join(folder, 'workspace-id'))).toBe(true)
})

test('every commit is synced to disk', () => {
  const db = openStore(join(newFolder(), 'server.db'))
  expect(db.pragma('synchronous')).toBe(2)
  db.close()
})
