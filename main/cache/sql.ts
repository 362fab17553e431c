import type BetterSqlite3 from 'better-sqlite3'
import type { Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import { createMemo, type Memo } from './memo.ts'

/** SQL text; in the type it may carry the shape of the rows it gives. */
export type Statement<Row> = string | (string & { readonly row?: Row })

export type Bind = string | number | null

/** A connection that prepares each statement once and logs slow ones by name. Statements are constants, never built from data. */
export type Sql = {
  get<Row>(statement: Statement<Row>, ...binds: readonly Bind[]): Row | undefined
  all<Row>(statement: Statement<Row>, ...binds: readonly Bind[]): Row[]
  /** Rows changed. */
  run(statement: string, ...binds: readonly Bind[]): number
  readonly memo: Memo
  readonly raw: BetterSqlite3.Database
}

/** Slower than this and a statement logs itself. Source: architecture paper 5.4. */
export const SLOW_SQL_MS = 8

export function openSql(raw: BetterSqlite3.Database, clock: Pick<Clock, 'monotonic'>, log: Logger): Sql {
  const prepared = new Map<string, BetterSqlite3.Statement<Bind[]>>()
  function statement(text: string): BetterSqlite3.Statement<Bind[]> {
    const known = prepared.get(text)
    if (known) return known
    const made = raw.prepare<Bind[]>(text)
    prepared.set(text, made)
    return made
  }
  function timed<T>(text: string, work: (made: BetterSqlite3.Statement<Bind[]>) => T): T {
    const startedAt = clock.monotonic()
    const result = work(statement(text))
    const tookMs = clock.monotonic() - startedAt
    if (tookMs > SLOW_SQL_MS) log.warn('slow', { sql: text.replace(/\s+/g, ' ').slice(0, 120), ms: Math.round(tookMs) })
    return result
  }
  return {
    raw,
    memo: createMemo(),
    get: <Row>(text: Statement<Row>, ...binds: readonly Bind[]) =>
      timed(text, (made) => made.get(...binds) as Row | undefined),
    all: <Row>(text: Statement<Row>, ...binds: readonly Bind[]) => timed(text, (made) => made.all(...binds) as Row[]),
    run: (text, ...binds) => timed(text, (made) => made.run(...binds).changes),
  }
}

/** Absent becomes SQL NULL, truth becomes 1 or 0. */
export function bind(value: string | number | boolean | undefined): Bind {
  if (value === undefined) return null
  return typeof value === 'boolean' ? Number(value) : value
}
