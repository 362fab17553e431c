import type { Sql } from './sql.ts'

/** JSON text; in the type it may carry what was written. */
type Json<T> = string | (string & { readonly value?: T })

/** The one `json` column of a row: everything that is neither filtered nor sorted. */
export const toJson = (value: unknown): string => JSON.stringify(value)

/** Reads back what {@link toJson} wrote; the type is the writer's. Throws `store/damaged`. */
export function fromJson<T>(db: Pick<Sql, 'damaged'>, text: Json<T>): T {
  try {
    return JSON.parse(text) as T
  } catch {
    throw db.damaged()
  }
}

/** NULL becomes absent. */
export const optional = <T>(value: T | null): T | undefined => value ?? undefined
