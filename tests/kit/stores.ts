import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Raw } from '#main/lib/sqlite/connection.ts'
import { nodeDisk, type Disk } from '#main/lib/sqlite/disk.ts'
import { openStores, type StoreOptions, type Stores } from '#main/cache/files/open.ts'
import { silentSink } from '#main/lib/logger.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { MEMORY_DISK } from './sim/memory-disk.ts'

/** A folder that is removed with the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The same in memory, where a test writes much and does not depend on the disk. */
export function aMemoryFolder(): string {
  const folder = mkdtempSync(join(MEMORY_DISK, 'parlor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Real stores of the user `me` in a temporary folder; closed with the test unless closed before. */
export function openTestStores(options: Partial<StoreOptions> = {}): Stores {
  const stores = openStores({
    folder: options.folder ?? aFolder(),
    viewerId: asUserId('me'),
    clock: { now: () => 1_000_000, monotonic: () => 0 },
    ids: { uuid: () => 'install-1', random: () => 0.5 },
    log: silentSink,
    ...options,
  })
  onTestFinished(() => {
    if (stores.cache.reader.db.raw.open) stores.close()
  })
  return stores
}

/** What changes a disk. */
export const CHANGES = ['rename', 'copy', 'remove', 'write', 'append', 'protect', 'syncFolder', 'folder'] as const

/** A disk whose folder refuses writes while it is set to read-only; everywhere else it is the real one. */
export function readOnlyDisk(folder: string, isReadOnly: () => boolean): Disk {
  const changes = CHANGES.map((name) => [
    name,
    (path: string, more: string) => {
      const changed = name === 'copy' || name === 'rename' ? more : path
      if (isReadOnly() && changed.startsWith(folder)) throw Object.assign(new Error('EROFS'), { code: 'EROFS' })
      return nodeDisk[name](path, more)
    },
  ])
  return { ...nodeDisk, ...(Object.fromEntries(changes) as Pick<Disk, (typeof CHANGES)[number]>) }
}

/** Takes away what versions after 110 added to the tables of a cache, and adds what they took away. */
export function withSchema110(raw: Raw): void {
  raw.exec('DROP TRIGGER messages_unseen')
  raw.exec('DROP TABLE search_seen')
  raw.exec('DROP INDEX messages_timeline')
  raw.exec('CREATE INDEX messages_timeline ON messages (cid, created_at, id) WHERE in_channel = 1')
  raw.exec(`CREATE INDEX messages_unread ON messages (cid, created_at, id, user_id, mentions_viewer)
    WHERE in_channel = 1 AND type NOT IN ('deleted', 'ephemeral', 'error') AND deleted_at IS NULL AND silent = 0
    AND shadowed = 0`)
}
