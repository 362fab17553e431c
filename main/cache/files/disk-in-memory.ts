import { dirname, join } from 'node:path'
import { CLEARED_FILE } from './names.ts'
import { SIDES } from '#main/lib/sqlite/connection.ts'
import { memoryDatabase, type Disk } from '#main/lib/sqlite/disk.ts'

/** Larger databases are not loaded into memory. */
const LARGEST_BYTES = 256 * 1024 * 1024
const JOURNAL_MODES_AT = 18
const NOT_WAL = 1

/**
 * A view of a folder in which all writes stay in memory: for a full disk without the space that must be written before
 * anything can be read. A cache that is too large for memory is omitted: the server has it.
 */
export function diskInMemory(disk: Disk, folder: string): Disk {
  /** Written files by path; absent content: removed. */
  const written = new Map<string, (() => Buffer) | undefined>()
  const bytesOf = (path: string): (() => Buffer) =>
    written.has(path) ? (written.get(path) ?? (() => Buffer.alloc(0))) : () => disk.read(path)
  const put = (path: string, content: string | Uint8Array): void => {
    const bytes = Buffer.from(content as Uint8Array)
    written.set(path, () => bytes)
  }
  const cache = join(folder, 'cache.db')
  if (disk.exists(cache) && disk.size(cache) > LARGEST_BYTES) {
    for (const side of SIDES) written.set(cache + side, undefined)
    put(join(folder, CLEARED_FILE), '')
  }
  return {
    exists: (path) => (written.has(path) ? written.get(path) !== undefined : disk.exists(path)),
    isFolder: (path) => !written.has(path) && disk.isFolder(path),
    size: (path) => (written.has(path) ? bytesOf(path)().length : disk.size(path)),
    room: (path) => disk.room(path),
    folder: () => undefined,
    list(path) {
      const existing = disk.list(path).filter((name) => !written.has(join(path, name)))
      const added = [...written].filter(([each, bytes]) => bytes !== undefined && dirname(each) === path)
      return [...existing, ...added.map(([each]) => each.slice(path.length + 1))]
    },
    rename(from, to) {
      written.set(to, bytesOf(from))
      written.set(from, undefined)
    },
    copy: (from, to) => void written.set(to, bytesOf(from)),
    remove: (path) => void written.set(path, undefined),
    read: (path) => bytesOf(path)(),
    write: put,
    append: (path, text) => put(path, Buffer.concat([bytesOf(path)(), Buffer.from(text)])),
    sync: () => undefined,
    open(path) {
      const bytes = written.has(path) ? bytesOf(path)() : contentOf(disk, path)
      const raw = memoryDatabase(bytes.length === 0 ? undefined : bytes)
      // No other connection can open it.
      raw.pragma('locking_mode = EXCLUSIVE')
      return raw
    },
    protect: () => undefined,
    syncFolder: () => undefined,
  }
}

/** A database including the content of its WAL. */
function contentOf(disk: Disk, path: string): Buffer {
  const raw = disk.open(path, { fileMustExist: true })
  try {
    // With exclusive locking no shared-memory file is needed.
    raw.pragma('locking_mode = EXCLUSIVE')
    const bytes = raw.serialize()
    // There is no WAL in memory: a database marked as WAL would not open.
    bytes.fill(NOT_WAL, JOURNAL_MODES_AT, JOURNAL_MODES_AT + 2)
    return bytes
  } finally {
    raw.close()
  }
}
