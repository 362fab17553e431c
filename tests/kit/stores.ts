import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStores, type StoreOptions, type Stores } from '#main/cache/open.ts'
import { silentSink } from '#main/lib/logger.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { MEMORY_DISK } from './memory-disk.ts'

/** A folder that goes away with the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The same in memory, where a test writes much and nothing hangs on the disk. */
export function aMemoryFolder(): string {
  const folder = mkdtempSync(join(MEMORY_DISK, 'parlor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Real stores of the person `me` in a temporary folder; closed with the test unless closed before. */
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
