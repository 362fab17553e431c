import type { CacheSql } from './sql.ts'

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
