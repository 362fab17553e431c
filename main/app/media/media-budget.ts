import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '#main/lib/logger.ts'

/** Limit of fetched pictures and files on disk, per account. All of them can be fetched again. */
const MEDIA_BUDGET_BYTES = 500_000_000
/** Suffix of an incomplete download. */
export const PARTIAL = '.part'

type MediaBudget = {
  /** Measures the folder and deletes the oldest files over the limit. Resolves when that is done. */
  tidy(): Promise<void>
  /** A file of this size was added. */
  added(sizeBytes: number): void
}

type StoredFile = { readonly path: string; readonly sizeBytes: number; readonly at: number }

/** Keeps a folder of fetched files within its limit: it is scanned only when the running total exceeds it. */
export function createMediaBudget(folder: string, log: Logger, budgetBytes = MEDIA_BUDGET_BYTES): MediaBudget {
  let sumBytes = 0
  let running: Promise<void> | undefined

  async function shrink(): Promise<void> {
    const stored = (await filesIn(folder)).toSorted((a, b) => a.at - b.at)
    sumBytes = stored.reduce((sum, file) => sum + file.sizeBytes, 0)
    for (const file of stored) {
      if (sumBytes <= budgetBytes) return
      await rm(file.path, { force: true })
      sumBytes -= file.sizeBytes
    }
  }

  const tidy = (): Promise<void> =>
    (running ??= shrink()
      // A file that cannot be deleted now is tried again after the next download.
      .catch((error: unknown) => log.warn('tidy-failed', { error: error instanceof Error ? error.name : 'unknown' }))
      .finally(() => (running = undefined)))

  return {
    tidy,
    added(sizeBytes) {
      sumBytes += sizeBytes
      if (sumBytes > budgetBytes) void tidy()
    },
  }
}

async function filesIn(folder: string): Promise<readonly StoredFile[]> {
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    names
      .filter((name) => !name.endsWith(PARTIAL))
      .map(async (name) => {
        const path = join(folder, name)
        const known = await stat(path).catch(() => undefined)
        return known?.isFile() ? [{ path, sizeBytes: known.size, at: known.mtimeMs }] : []
      }),
  )
  return found.flat()
}
