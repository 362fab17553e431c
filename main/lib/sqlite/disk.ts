import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import Database from 'better-sqlite3'
import { dirname } from 'node:path'

/** The file operations of databases, so that tests can make them fail. Synchronous by design. */
export type Disk = {
  exists(path: string): boolean
  isFolder(path: string): boolean
  size(path: string): number
  /** Free bytes of the file system. */
  room(path: string): number
  /** Creates the folder with mode 0700. */
  folder(path: string): void
  /** Names in a folder; empty if it does not exist. */
  list(path: string): readonly string[]
  rename(from: string, to: string): void
  copy(from: string, to: string): void
  remove(path: string): void
  read(path: string): Buffer
  /** Writes a whole file (mode 0600) and flushes it. */
  write(path: string, content: string | Uint8Array): void
  append(path: string, text: string): void
  /** Flushes a file that something else wrote. */
  sync(path: string): void
  /** Opens the database in this file. */
  open(path: string, options?: Database.Options): Database.Database
  /** Mode 0600. */
  protect(path: string): void
  /** Makes renames in this folder durable. */
  syncFolder(path: string): void
}

/** A database in memory: empty, or with the content of a file. */
export const memoryDatabase = (content?: Buffer): Database.Database => new Database(content ?? ':memory:')

export const nodeDisk: Disk = {
  exists: (path) => existsSync(path),
  isFolder: (path) => statSync(path).isDirectory(),
  size: (path) => statSync(path).size,
  room(path) {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  },
  folder: (path) => {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  },
  list: (path) => (existsSync(path) ? readdirSync(path) : []),
  rename(from, to) {
    renameSync(from, to)
    nodeDisk.syncFolder(dirname(to))
  },
  copy: (from, to) => copyFileSync(from, to),
  remove: (path) => rmSync(path, { force: true, recursive: true }),
  read: (path) => readFileSync(path),
  write: (path, content) => writeFileSync(path, content, { mode: 0o600, flush: true }),
  append: (path, text) => appendFileSync(path, text, { mode: 0o600 }),
  sync: (path) => flush(path, 'r+'),
  open: (path, options) => new Database(path, options),
  protect: (path) => chmodSync(path, 0o600),
  syncFolder(path) {
    // Windows cannot open a folder for flushing, and does not need it.
    if (process.platform !== 'win32') flush(path, 'r')
  },
}

function flush(path: string, flags: 'r' | 'r+'): void {
  const handle = openSync(path, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
