import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  isBusy,
  isDurable,
  lockFile,
  openForReading,
  openForWriting,
  type Raw,
  type Settings,
  identityOf,
  isSound,
  isUnused,
  moveDatabase,
  readEachWay,
  removeDatabase,
} from './connection.ts'
import { memoryDatabase, nodeDisk, type Disk } from './disk.ts'
import { backUp, migrate, newestOf, versionOf, type Migration } from './migrate.ts'
import { openSql } from './sql.ts'

const SETTINGS: Settings = { busyMs: 0, synchronous: 2, cacheKib: 1_000 }

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function closing(raw: Raw): Raw {
  onTestFinished(() => void raw.close())
  return raw
}

const pathOf = (name = 'a.db'): string => join(aFolder(), name)
const write = (path: string, settings: Partial<Settings> = {}): Raw =>
  closing(openForWriting(nodeDisk, path, { ...SETTINGS, ...settings }))

describe('a connection', () => {
  test('writes as durably, and overwrites and shrinks, as its settings say', () => {
    const raw = write(pathOf(), { shrinks: true, secureDelete: true, walLimitBytes: 4_096, isAlone: true })
    raw.exec('CREATE TABLE t (a TEXT)')
    const found = ['synchronous', 'auto_vacuum', 'secure_delete', 'journal_size_limit', 'journal_mode', 'locking_mode']
    expect(found.map((name) => raw.pragma(name, { simple: true }))).toEqual([2, 2, 1, 4_096, 'wal', 'exclusive'])
    expect(isDurable(raw, SETTINGS)).toBe(true)
    expect(isDurable(raw, { synchronous: 1 })).toBe(false)
  })

  test('for reading changes nothing, and needs the file to exist', () => {
    const path = pathOf()
    write(path).exec('CREATE TABLE t (a TEXT)')
    const reading = closing(openForReading(nodeDisk, path, { busyMs: 0 }))
    expect(() => reading.exec('DELETE FROM t')).toThrow(/readonly/)
    expect(() => openForReading(nodeDisk, `${path}.other`, { busyMs: 0 })).toThrow(/unable to open/)
    expect(existsSync(`${path}.other`)).toBe(false)
  })

  test('that cannot be configured is closed', () => {
    const path = pathOf()
    writeFileSync(path, 'no database '.repeat(100))
    let opened: Raw | undefined
    const disk: Disk = { ...nodeDisk, open: (...how) => (opened = nodeDisk.open(...how)) }
    expect(() => openForWriting(disk, path, SETTINGS)).toThrow(/not a database/)
    expect(opened?.open).toBe(false)
  })

  test('a lock excludes a second one until it is released', () => {
    const path = pathOf('lock')
    const release = lockFile(nodeDisk, path)
    let refusal: unknown
    try {
      lockFile(nodeDisk, path)
    } catch (error) {
      refusal = error
    }
    expect(isBusy(refusal)).toBe(true)
    release()
    lockFile(nodeDisk, path)()
  })
})

describe('statements', () => {
  function aTable() {
    const raw = closing(memoryDatabase())
    raw.exec('CREATE TABLE t (a TEXT, n INTEGER)')
    return raw
  }

  test('a row with a value of another type than its column is damaged', () => {
    const raw = aTable()
    const db = openSql(raw, { damaged: () => new Error('damaged') })
    db.run('INSERT INTO t VALUES (?, ?)', 'one', 1)
    expect(db.get('SELECT * FROM t')).toEqual({ a: 'one', n: 1 })
    raw.exec("UPDATE t SET n = 'text'")
    expect(() => db.get('SELECT * FROM t')).toThrow('damaged')
    expect(() => db.all('SELECT n FROM t')).toThrow('damaged')
    expect(openSql(raw).all('SELECT n FROM t')).toEqual([{ n: 'text' }])
  })

  test('slow ones are reported, and errors are translated', () => {
    let now = 0
    const slow: unknown[] = []
    const db = openSql(aTable(), {
      clock: { monotonic: () => (now += 5) },
      onSlow: (sql, ms) => slow.push([sql, ms]),
      translated: () => new Error('translated'),
    })
    db.all('SELECT *\n  FROM t')
    expect(slow).toEqual([])
    now = 0
    const slower = openSql(aTable(), {
      clock: { monotonic: () => (now += 20) },
      onSlow: (...found) => slow.push(found),
    })
    slower.all('SELECT *\n  FROM t')
    expect(slow).toEqual([['SELECT * FROM t', 20]])
    expect(() => db.run('INSERT INTO nowhere VALUES (1)')).toThrow('translated')
    expect(() => db.transaction(() => db.raw.exec('nonsense'))).toThrow('translated')
  })

  test('a transaction inside another one is undone alone', () => {
    const db = openSql(aTable())
    db.transaction(() => {
      db.run("INSERT INTO t VALUES ('kept', 1)")
      expect(() =>
        db.transaction(() => {
          db.run("INSERT INTO t VALUES ('undone', 2)")
          throw new Error('no')
        }),
      ).toThrow('no')
    })
    expect(db.all('SELECT a FROM t')).toEqual([{ a: 'kept' }])
    expect(() => db.transaction(() => Promise.resolve())).toThrow(/promise/)
  })

  test('writes are reported, reads are not, and few statements are cached', () => {
    const writes: string[] = []
    const db = openSql(aTable(), { maxStatements: 1, onWrite: () => writes.push('write') })
    expect(db.run("INSERT INTO t VALUES ('a', 1)")).toBe(1)
    expect(db.all('UPDATE t SET n = 2 RETURNING n')).toEqual([{ n: 2 }])
    db.get('SELECT * FROM t')
    db.exec('DELETE FROM t')
    expect(writes).toHaveLength(3)
    expect(db.get('SELECT count(*) AS count FROM t')).toEqual({ count: 0 })
  })
})

const MIGRATIONS: readonly Migration[] = [
  { version: 10, statements: ['CREATE TABLE t (a TEXT)', "INSERT INTO t VALUES ('first')"] },
  { version: 20, statements: ['ALTER TABLE t ADD COLUMN b TEXT'] },
]
const BROKEN: Migration = { version: 30, statements: ['DELETE FROM t', 'INSERT INTO nowhere VALUES (1)'] }

describe('migrations', () => {
  test('run once, and a failing one undoes all of them', () => {
    const db = openSql(closing(memoryDatabase()))
    migrate(db, MIGRATIONS.slice(0, 1))
    expect(() => migrate(db, [...MIGRATIONS, BROKEN])).toThrow(/nowhere/)
    expect(versionOf(db)).toBe(10)
    expect(db.all('SELECT * FROM t')).toEqual([{ a: 'first' }])
    migrate(db, MIGRATIONS)
    migrate(db, MIGRATIONS)
    expect(versionOf(db)).toEqual(newestOf(MIGRATIONS))
    expect(db.all('SELECT * FROM t')).toEqual([{ a: 'first', b: null }])
  })

  test('leave the two newest backups, each of them complete', () => {
    const path = pathOf()
    const raw = write(path)
    const db = openSql(raw)
    for (const version of [10, 20, 30]) {
      migrate(db, [{ version, statements: [`CREATE TABLE t${version} (a TEXT)`] }])
      expect(backUp(nodeDisk, db, path)).toBe(`${path}.backup-${version}`)
    }
    const names = readdirSync(join(path, '..')).filter((name) => name.includes('backup'))
    expect(names.toSorted()).toEqual(['a.db.backup-20', 'a.db.backup-30'])
    const copy = closing(openForReading(nodeDisk, `${path}.backup-20`, { busyMs: 0 }))
    expect(versionOf(copy)).toBe(20)
    expect(isSound(copy, 'whole')).toBe(true)
  })

  test('a backup that does not fit leaves nothing behind', () => {
    const path = pathOf()
    const raw = write(path)
    raw.exec('CREATE TABLE t (a TEXT)')
    const full: Disk = {
      ...nodeDisk,
      copy(from, to) {
        nodeDisk.copy(from, to)
        throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      },
    }
    expect(() => backUp(full, openSql(raw), path)).toThrow('full')
    expect(readdirSync(join(path, '..')).filter((name) => name.includes('backup'))).toEqual([])
  })
})

test('a file says what it is, and each depth of checking finds sound pages', () => {
  const raw = closing(memoryDatabase())
  expect(isUnused(identityOf(raw))).toBe(true)
  raw.pragma('application_id = 7')
  expect(isUnused(identityOf(raw))).toBe(false)
  migrate(openSql(raw), MIGRATIONS)
  raw.exec('CREATE VIRTUAL TABLE words USING fts5 (body)')
  const { applicationId, version, schema } = identityOf(raw)
  expect(applicationId).toBe(7)
  expect(version).toBe(20)
  expect(schema.some(({ name }) => name === 't')).toBe(true)
  for (const depth of ['whole', 'pages', 'tables'] as const) expect(isSound(raw, depth)).toBe(true)
})

describe('salvage', () => {
  /** A table of many pages, of which one in the middle is overwritten. */
  function damaged(): Raw {
    const path = pathOf()
    const raw = openForWriting(nodeDisk, path, SETTINGS)
    raw.exec('CREATE TABLE t (n INTEGER PRIMARY KEY, a TEXT)')
    const put = raw.prepare('INSERT INTO t VALUES (?, ?)')
    raw.transaction(() => {
      for (let n = 0; n < 1_000; n += 1) put.run(n, 'x'.repeat(400))
    })()
    raw.pragma('wal_checkpoint(TRUNCATE)')
    raw.close()
    const bytes = nodeDisk.read(path)
    bytes.fill(0x5a, 4_096 * 60, 4_096 * 61)
    nodeDisk.write(path, bytes)
    return closing(nodeDisk.open(path, { readonly: true }))
  }
  const ways = (raw: Raw) =>
    ['ASC', 'DESC'].map(
      (order) => () => raw.prepare<[], { n: number }>(`SELECT n, a FROM t ORDER BY n ${order}`).iterate(),
    )

  test('reads from both ends up to a bad page', () => {
    const raw = damaged()
    const found = new Set<number>()
    readEachWay(ways(raw), ({ n }) => void found.add(n))
    expect(found.has(0)).toBe(true)
    expect(found.has(999)).toBe(true)
    expect(found.size).toBeGreaterThan(950)
    expect(found.size).toBeLessThan(1_000)
  })

  test('an error of the caller is no damage, and a table that does not exist has no rows', () => {
    const raw = damaged()
    const failing = () =>
      readEachWay(ways(raw), () => {
        throw new Error('disk full')
      })
    expect(failing).toThrow('disk full')
    // The connection is free again.
    expect(raw.prepare('SELECT count(*) AS n FROM sqlite_schema').get()).toEqual({ n: 1 })
    const rows: unknown[] = []
    readEachWay([() => raw.prepare('SELECT * FROM other').iterate()], (row) => void rows.push(row))
    expect(rows).toEqual([])
  })

  test('a database is moved and deleted together with its side files', () => {
    const path = pathOf()
    for (const side of ['', '-wal', '-shm']) writeFileSync(path + side, side)
    moveDatabase(nodeDisk, path, `${path}.aside`)
    expect(readdirSync(join(path, '..')).toSorted()).toEqual(['a.db.aside', 'a.db.aside-shm', 'a.db.aside-wal'])
    removeDatabase(nodeDisk, `${path}.aside`)
    expect(readdirSync(join(path, '..'))).toEqual([])
  })
})
