import { basename } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'
import type { MessageId, UserId } from '#shared/lib/brand.ts'
import type { Clock } from '#main/lib/clock.ts'
import { asDiskError, isDamage } from '#main/lib/disk-error.ts'
import type { Logger } from '#main/lib/logger.ts'
import { type Raw, isAlone } from '#main/lib/sqlite/connection.ts'
import { openSql, type Bind, type Sql } from '#main/lib/sqlite/sql.ts'
import { createWaitingWrites, type WaitingWrites } from '#main/lib/sqlite/waiting.ts'
import type { EntityName, WindowKey } from '#shared/domain/changes.ts'
import type { Disk } from '#main/lib/sqlite/disk.ts'
import type { Store } from './files/open.ts'

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
 * shared: only the code that keeps one notes in it what has changed.
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
  /** Of the lists that were shown last: see `messages/ends.ts`. */
  readonly ends: Memo['recent']
}

/** Above this everything is cleared: a safety limit. An account of 10,000 channels has about 60,000 such rows. */
const LIMIT = 250_000
const RECENT = 2_000
const ENDS = 30

function createMemo(): Memo {
  const held = new Map<string, unknown>()
  const recent = new Map<string, unknown>()
  const ends = new Map<string, unknown>()
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
      ends.clear()
    },
    recent: accessTo(recent, RECENT),
    ends: accessTo(ends, ENDS),
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

/** Reading side of a store. Every read function takes one. */
export type Reader = {
  readonly db: CacheSql
  /** The owner of this cache: own reactions, own reads and shadowed messages depend on it. */
  readonly viewerId: UserId
  /** The viewer is a guest without memberships: everything cached is public, and all of it is listed. */
  readonly isGuest?: boolean
  /** Epoch milliseconds on the server's clock; absent if unknown. */
  readonly serverNow?: () => number
}

/** A running transaction. Writes record the touched keys, so that the collector re-reads exactly those. */
export type Tx = Reader & {
  touch(entity: EntityName, key: string): void
  touchWindow(key: WindowKey): void
  /** Writes a row of `channels` or `reads`, whose new value is in the memo already, once for all events of a transaction. */
  write(row: string, write: () => void): void
}

/** Keys written by one committed transaction. */
export type Touched = {
  readonly entities: ReadonlyMap<EntityName, ReadonlySet<string>>
  readonly windows: ReadonlySet<WindowKey>
}

type StoreParts = {
  readonly raw: Raw
  readonly disk: Pick<Disk, 'exists' | 'size'>
  readonly path: string
  readonly viewerId: UserId
  readonly isGuest?: boolean
  readonly serverNow?: () => number
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Logger
  /** Runs at the end of each transaction that touched something, inside it. */
  readonly beforeCommit?: (tx: Tx) => void
  /** Runs right after a commit, before the change is reported: the outbox's journal. */
  readonly afterCommit?: (touched: Touched) => void
  readonly onCommit?: (touched: Touched) => void
  /** The file is a temporary copy: writes are refused with this error. */
  readonly refusal?: AppError
  /** The file itself is damaged. Called before the error is thrown. */
  readonly onDamage?: () => void
}

/** A store over an opened, checked and migrated database. */
export function createStore(parts: StoreParts): Store {
  const { raw, path, viewerId, isGuest, serverNow } = parts
  const db = openCacheSql(raw, parts.clock, parts.log, parts.onDamage)
  const reader = { db, viewerId, isGuest, serverNow }
  let running: Tx | undefined

  function outermost<T>(work: (tx: Tx) => T): T {
    if (parts.refusal) throw parts.refusal
    const entities = new Map<EntityName, Set<string>>()
    const windows = new Set<WindowKey>()
    running = {
      ...reader,
      touch: (entity, key) => void keysOf(entities, entity).add(key),
      touchWindow: (key) => void windows.add(key),
      write: (row, write) => db.waiting.put(row, { run: write }),
    }
    const tx = running
    let result: T
    try {
      result = run(() => {
        const done = work(tx)
        db.waiting.flush()
        if (entities.size + windows.size > 0) parts.beforeCommit?.(tx)
        return done
      })
    } finally {
      running = undefined
    }
    announce({ entities, windows })
    return result
  }

  /** The memo may contain rolled-back values. */
  function run<T>(work: () => T, mode?: 'deferred'): T {
    try {
      return db.transaction(work, mode)
    } catch (error) {
      db.waiting.drop()
      db.memo.clear()
      throw error
    }
  }

  function nested<T>(tx: Tx, work: (tx: Tx) => T): T {
    const undo = db.waiting.part()
    try {
      return run(() => work(tx))
    } catch (error) {
      undo()
      throw error
    }
  }

  function announce(touched: Touched): void {
    if (touched.entities.size === 0 && touched.windows.size === 0) return
    parts.afterCommit?.(touched)
    parts.onCommit?.(touched)
  }

  return {
    path,
    reader,
    isAlone: isAlone(raw),
    logBytes: () => (parts.disk.exists(`${path}-wal`) ? parts.disk.size(`${path}-wal`) : 0),
    read: (work) => (raw.inTransaction ? work(reader) : run(() => work(reader), 'deferred')),
    transaction(work) {
      const tx = running
      return tx ? nested(tx, work) : outermost(work)
    },
  }
}

function keysOf(entities: Map<EntityName, Set<string>>, entity: EntityName): Set<string> {
  const known = entities.get(entity)
  if (known) return known
  const made = new Set<string>()
  entities.set(entity, made)
  return made
}
