import { basename } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import type { Clock } from '#main/lib/clock.ts'
import { asDiskError, isDamage } from '#main/lib/disk-error.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { Raw } from '#main/lib/sqlite/connection.ts'
import { openSql, type Bind, type Sql } from '#main/lib/sqlite/sql.ts'
import { createWaitingWrites, type WaitingWrites } from '#main/lib/sqlite/waiting.ts'

/**
 * A connection to one of an account's databases: it logs slow statements, throws SQLite errors as `AppError`
 * (`disk/…`, `store/…`), and detects rows with values of another type than their columns.
 */
export type CacheSql = Sql & {
  /**
   * Many events of one transaction write the same rows: the channel whose newest message each is, the marks of who wrote
   * them. Such a row is in the memo at once.
   */
  readonly waiting: WaitingWrites<Waiting>
  /** The error to throw for an inconsistent row: records that the file is damaged. */
  damaged(): AppError
  readonly memo: Memo
}

/** `ids`: what it is about, if steps of the transaction add to it. */
type Waiting = { run(): void; readonly ids?: Set<MessageId> }

/** @param onDamage called when the file itself is damaged, before the error is thrown */
export function openCacheSql(raw: Raw, clock: Pick<Clock, 'monotonic'>, log: Logger, onDamage?: () => void): CacheSql {
  function translated(error: unknown): unknown {
    const known = asDiskError(error, raw.name)
    if (known !== error && isDamage(known)) onDamage?.()
    return known
  }
  function damaged(): AppError {
    onDamage?.()
    return new AppError('store/damaged', { params: { file: basename(raw.name) } })
  }
  const onSlow = (sql: string, ms: number): void => log.warn('slow', { sql, ms })
  const waiting = createWaitingWrites<Waiting>((statement) => /\b(?:channels|reads)\b/.test(statement))
  const sql = openSql(raw, { translated, damaged, clock, onSlow, before: waiting.before })
  return { ...sql, damaged, memo: createMemo(), waiting }
}

/** Absent becomes SQL NULL, booleans become 1 or 0. */
export function bind(value: string | number | boolean | undefined): Bind {
  if (value === undefined) return null
  return typeof value === 'boolean' ? Number(value) : value
}

/**
 * Parsed rows that nearly every event reads and few change, cached with their connection. Valid because only this
 * connection writes the file: code that writes a row invalidates it here, and a rollback clears everything. Values are
 * shared and never mutated.
 */
type Memo = {
  /** The value of `key`; calls `read` if it is missing. */
  of<T>(key: string, read: () => T): T
  /** The current value of `key`, without reading. */
  peek(key: string): unknown
  /** Stores a value that was just written. */
  put(key: string, value: unknown): void
  forget(key: string): void
  clear(): void
  /** Rows of which there are too many to hold all: the last that were written, by their ids. */
  readonly recent: Pick<Memo, 'peek' | 'put' | 'forget'>
}

/** Above this everything is cleared: a safety limit. An account of 10,000 channels has about 60,000 such rows. */
const LIMIT = 250_000
const RECENT = 2_000

function createMemo(): Memo {
  const held = new Map<string, unknown>()
  const recent = new Map<string, unknown>()
  return {
    of<T>(key: string, read: () => T): T {
      const found = held.get(key)
      if (found !== undefined || held.has(key)) return found as T
      const value = read()
      putIn(held, LIMIT, key, value)
      return value
    },
    ...accessTo(held, LIMIT),
    clear() {
      held.clear()
      recent.clear()
    },
    recent: accessTo(recent, RECENT),
  }
}

function putIn(held: Map<string, unknown>, limit: number, key: string, value: unknown): void {
  if (held.size >= limit) held.clear()
  held.set(key, value)
}

const accessTo = (held: Map<string, unknown>, limit: number): Memo['recent'] => ({
  peek: (key) => held.get(key),
  put: (key, value) => putIn(held, limit, key, value),
  forget: (key) => void held.delete(key),
})

/** JSON text, typed with the value it was made from. */
type Json<T> = string | (string & { readonly value?: T })

/** The `json` column of a row: everything that is neither filtered nor sorted. */
export const toJson = (value: unknown): string => JSON.stringify(value)

/** Parses the output of {@link toJson}; the type is that of the writer. Throws `store/damaged`. */
export function fromJson<T>(db: Pick<CacheSql, 'damaged'>, text: Json<T>): T {
  try {
    return JSON.parse(text) as T
  } catch {
    throw db.damaged()
  }
}

/** NULL becomes absent. */
export const optional = <T>(value: T | null): T | undefined => value ?? undefined
