import { basename } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'

/** Failures of SQLite and of the file system that the user can act on, by error code. */
const KNOWN: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'disk/full',
  ENOSPC: 'disk/full',
  EDQUOT: 'disk/full',
  // A full disk has no space for the shared-memory index of a WAL.
  SQLITE_IOERR_SHMSIZE: 'disk/full',
  SQLITE_BUSY: 'store/locked',
  SQLITE_LOCKED: 'store/locked',
  SQLITE_READONLY: 'store/unwritable',
  SQLITE_CANTOPEN: 'store/unwritable',
  SQLITE_PERM: 'store/unwritable',
  EACCES: 'store/unwritable',
  EPERM: 'store/unwritable',
  EROFS: 'disk/read-only',
  SQLITE_CORRUPT: 'store/damaged',
  SQLITE_NOTADB: 'store/damaged',
  SQLITE_IOERR: 'disk/failing',
  SQLITE_IOERR_SHORT_READ: 'store/damaged',
  SQLITE_IOERR_CORRUPTFS: 'store/damaged',
  EIO: 'disk/failing',
}

/** The {@link AppError} for an error of SQLite or the disk; any other error is returned unchanged. */
export function asDiskError(error: unknown, path?: string): unknown {
  const code = codeOf(error)
  if (code === undefined || error instanceof AppError) return error
  // Extended codes append the cause: SQLITE_IOERR_WRITE, SQLITE_READONLY_DBMOVED.
  const known = isBadJson(error) ? 'store/damaged' : (KNOWN[code] ?? KNOWN[code.split('_').slice(0, 2).join('_')])
  if (known === undefined) return error
  return new AppError(known, { params: path === undefined ? undefined : { file: basename(path) }, cause: error })
}

/** A JSON column contains invalid JSON. */
const isBadJson = (error: unknown): boolean => error instanceof Error && error.message === 'malformed JSON'

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** The disk is full, read-only, failing, or locked by another program. Nothing of that transaction was written. */
export const isDiskTrouble = (error: unknown): error is AppError =>
  error instanceof AppError && /^(?:disk|store)\//.test(error.code)

/** Writing failed but reading works: full, read-only, or no write permission. */
export const isReadable = (error: unknown): error is AppError =>
  error instanceof AppError && ['disk/full', 'disk/read-only', 'store/unwritable'].includes(error.code)

/** The file itself is damaged. */
export const isDamage = (error: unknown): boolean => {
  if (error instanceof AppError) return error.code === 'store/damaged'
  const code = codeOf(error) ?? ''
  return KNOWN[code] === 'store/damaged' || /^SQLITE_(?:CORRUPT|NOTADB|ERROR)/.test(code)
}

/** How often a failed write is retried. */
export const DISK_RETRY_MS = 4_000

/**
 * A clock for callbacks that write: one that fails because of the disk is retried until it succeeds. A timer has no caller,
 * so the error would otherwise end the process.
 */
export function retryingClock(clock: Clock, log: Logger): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after(ms, fn) {
      let stop = clock.after(ms, turn)
      function turn(): void {
        try {
          fn()
        } catch (error) {
          if (!isDiskTrouble(error)) throw error
          log.warn('refused', { code: error.code })
          stop = clock.after(DISK_RETRY_MS, turn)
        }
      }
      return () => stop()
    },
  }
}
