import type Database from 'better-sqlite3'
import type { Store, Stores } from '#main/cache/files/open.ts'
import type { CacheSql, Tx } from '#main/cache/store.ts'
import type { HttpResponse, HttpRequest } from '#main/engine/ports.ts'
import type { Watch } from '#kit/sim/person.ts'

/**
 * `full` is SQLite's own, by its limit of pages; the others are what the system returns for a statement or a COMMIT.
 */
export type DiskFault =
  | 'full'
  | 'SQLITE_FULL'
  | 'SQLITE_IOERR_WRITE'
  | 'ENOSPC'
  | 'EIO'
  | 'SQLITE_BUSY'
  | 'SQLITE_READONLY'

class DiskError extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/**
 * The disk under one running engine. From a chosen write on, counted in statements that write, in COMMITs of both
 * databases, and in idle work (truncating logs, giving free pages back), every further one fails until the disk is
 * healed. Reading always works, as on a full disk.
 */
export class FaultyDisk implements Watch {
  readonly keepsIndex = true
  /** Writes that failed so far. */
  failed = 0
  /** How many of them were neither statements nor COMMITs. */
  failedUpkeep = 0
  #code: string | undefined
  #left = 0
  #stores: Stores | undefined

  stores(stores: Stores): Stores {
    this.#stores = stores
    for (const { reader } of [stores.cache, stores.outbox]) this.#watchUpkeep(reader.db.raw)
    return { ...stores, cache: this.#store(stores.cache), outbox: this.#store(stores.outbox) }
  }

  request(_request: HttpRequest, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
    return send()
  }

  /** `healthyFor` more writes succeed. */
  startFailing(fault: DiskFault, healthyFor: number): void {
    if (fault === 'full') return this.#limitPages('page_count')
    this.#code = fault
    this.#left = healthyFor
  }

  heal(): void {
    this.#code = undefined
    this.#limitPages(undefined)
  }

  #limitPages(to: 'page_count' | undefined): void {
    for (const { reader } of this.#stores ? [this.#stores.cache, this.#stores.outbox] : []) {
      if (!reader.db.raw.open) continue
      const pages = to === undefined ? 1_000_000 : Number(reader.db.raw.pragma(to, { simple: true }))
      reader.db.raw.pragma(`max_page_count = ${pages}`)
    }
  }

  #write(): void {
    if (this.#code === undefined) return
    this.#left -= 1
    if (this.#left >= 0) return
    this.failed += 1
    throw new DiskError(this.#code)
  }

  /** What SQLite itself throws, as it throws it. */
  #watchUpkeep(raw: Database.Database): void {
    const pragma = raw.pragma.bind(raw)
    raw.pragma = (source, options) => {
      if (/^(wal_checkpoint|incremental_vacuum)/.test(source)) {
        const before = this.failed
        try {
          this.#write()
        } finally {
          this.failedUpkeep += this.failed - before
        }
      }
      return pragma(source, options)
    }
  }

  #store(store: Store): Store {
    let depth = 0
    return {
      ...store,
      transaction: (work) =>
        store.transaction((tx) => {
          depth += 1
          try {
            const result = work(this.#tx(tx))
            if (depth === 1) this.#write()
            return result
          } catch (error) {
            // A real limit of pages is reached inside SQLite.
            if (error instanceof Error && 'code' in error && error.code === 'SQLITE_FULL' && this.#code === undefined)
              this.failed += 1
            throw error
          } finally {
            depth -= 1
          }
        }),
    }
  }

  #tx(tx: Tx): Tx {
    const run: CacheSql['run'] = (statement, ...binds) => {
      this.#write()
      return tx.db.run(statement, ...binds)
    }
    const get: CacheSql['get'] = (statement, ...binds) => {
      // It writes the row that it returns.
      if (/\bRETURNING\b/.test(statement)) this.#write()
      return tx.db.get(statement, ...binds)
    }
    return { ...tx, db: { ...tx.db, run, get } }
  }
}
