import type { Raw } from './connection.ts'
import { versionOf } from './migrate.ts'

/** A table, index or trigger of a file. */
export type SchemaPart = { readonly type: string; readonly name: string; readonly sql: string | null }

/** What a file says about itself. */
type Identity = {
  /** SQLite's `application_id`: distinguishes our files from any other. */
  readonly applicationId: number
  readonly version: number
  readonly schema: readonly SchemaPart[]
}

const SCHEMA = `SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name`

/**
 * Opening proves nothing: SQLite opens an empty file and most damaged ones. So this, and {@link isSound}, are compared
 * before anything is written.
 */
export function identityOf(raw: Raw): Identity {
  return {
    applicationId: Number(raw.pragma('application_id', { simple: true })),
    version: versionOf(raw),
    schema: schemaOf(raw),
  }
}

export const schemaOf = (raw: Raw): readonly SchemaPart[] => raw.prepare<[], SchemaPart>(SCHEMA).all()

/** A database that nothing was ever written to. */
export const isUnused = ({ applicationId, version, schema }: Identity): boolean =>
  applicationId === 0 && version === 0 && schema.length === 0

/** Whose content is elsewhere: in separate tables, or nowhere. */
export const isVirtual = ({ sql }: SchemaPart): boolean => sql?.startsWith('CREATE VIRTUAL') === true

/**
 * `whole`: every page, each index against its table, the free list, and SQLite's own tables: for small files.
 * `pages`: every page, and the words of full-text indexes.
 * `tables`: every page of every table. SQLite otherwise compares each word of a full-text index, which takes minutes
 * instead of a second; the underlying tables of that index are checked like any other.
 */
export type Depth = 'whole' | 'pages' | 'tables'

/** Checks the pages of a file. Throws an error of SQLite if it cannot even be read so far. */
export function isSound(raw: Raw, depth: Depth, schema = schemaOf(raw)): boolean {
  if (depth === 'whole') return raw.pragma('integrity_check', { simple: true }) === 'ok'
  if (depth === 'pages') return raw.pragma('quick_check', { simple: true }) === 'ok'
  return schema
    .filter((part) => part.type === 'table' && !isVirtual(part))
    .every(({ name }) => raw.pragma(`quick_check("${name}")`, { simple: true }) === 'ok')
}
