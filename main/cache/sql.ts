import { basename } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'
import type { Clock } from '#main/lib/clock.ts'
import { asDiskError, isDamage } from '#main/lib/disk-error.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { Raw } from '#main/lib/sqlite/connection.ts'
import { openSql, type Bind, type Sql } from '#main/lib/sqlite/sql.ts'
import { createMemo, type Memo } from './memo.ts'

/**
 * A connection to one of an account's databases: it logs slow statements, throws SQLite errors as `AppError`
 * (`disk/…`, `store/…`), and detects rows with values of another type than their columns.
 */
export type CacheSql = Sql & {
  /** The error to throw for an inconsistent row: records that the file is damaged. */
  damaged(): AppError
  /** Runs any other operation on this file with the same error handling. */
  guarded<T>(work: () => T): T
  readonly memo: Memo
}

/** @param onDamage called when the file itself is damaged, before the error is thrown */
export function openCacheSql(raw: Raw, clock: Pick<Clock, 'monotonic'>, log: Logger, onDamage?: () => void): CacheSql {
  function guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      const known = asDiskError(error, raw.name)
      if (known !== error && isDamage(known)) onDamage?.()
      throw known
    }
  }
  function damaged(): AppError {
    onDamage?.()
    return new AppError('store/damaged', { params: { file: basename(raw.name) } })
  }
  const onSlow = (sql: string, ms: number): void => log.warn('slow', { sql, ms })
  return { ...openSql(raw, { guard: guarded, damaged, clock, onSlow }), damaged, guarded, memo: createMemo() }
}

/** Absent becomes SQL NULL, booleans become 1 or 0. */
export function bind(value: string | number | boolean | undefined): Bind {
  if (value === undefined) return null
  return typeof value === 'boolean' ? Number(value) : value
}
