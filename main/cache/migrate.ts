import type BetterSqlite3 from 'better-sqlite3'
import type { Bind } from './sql.ts'
import { sumOfValues } from './files/sums.ts'

/** One step of a schema: forward only, numbered in tens, never edited after release. */
export type Migration = {
  readonly version: number
  readonly name: string
  /** May compute the checksum of a row: `sum_of(column, …)`. */
  readonly statements: readonly string[]
}

export const versionOf = (db: BetterSqlite3.Database): number => Number(db.pragma('user_version', { simple: true }))

export const headOf = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0

/**
 * Runs the missing steps, each with its version number in one transaction: the schema is old or new, never in between.
 */
export function migrate(db: BetterSqlite3.Database, migrations: readonly Migration[]): readonly string[] {
  const from = versionOf(db)
  const missing = migrations.filter((migration) => migration.version > from)
  if (missing.length > 0)
    db.function('sum_of', { varargs: true, deterministic: true }, (...values: unknown[]) =>
      sumOfValues(values as Bind[]),
    )
  for (const migration of missing) {
    db.transaction(() => {
      for (const statement of migration.statements) db.exec(statement)
      db.pragma(`user_version = ${migration.version}`)
    }).immediate()
  }
  return missing.map((migration) => migration.name)
}
