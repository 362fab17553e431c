import type { EntityName, WindowKey } from '#shared/domain/changes.ts'
import type { AppError } from '#shared/lib/app-error.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import { isAlone, type Raw } from '#main/lib/sqlite/connection.ts'
import type { Disk } from '#main/lib/sqlite/disk.ts'
import type { Store } from './files/open.ts'
import { openCacheSql, type CacheSql } from './sql.ts'

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
