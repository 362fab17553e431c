/** Values computed from tables, cached by key. Cleared whenever other code writes those tables. */
export type QueryCache<T> = Map<string, T>

/** The tables that a statement writes: `members`, or `DELETE users` for deleted rows, which may cascade. */
export type Written = readonly string[]

const WRITES = /^\s*(?:INSERT|REPLACE|UPDATE|DELETE)(?:\s+OR\s+[A-Z]+)?\s+(?:INTO\s+|FROM\s+)?"?([a-z_]+)/i
const WRITE_KEYWORD = /\b(?:INSERT|REPLACE|UPDATE|DELETE)\b/i

/**
 * The tables of a statement's text; `undefined`: none. Unrecognized statements that write count as writing everything.
 */
export function writtenBy(sql: string): Written | 'anything' | undefined {
  const match = WRITES.exec(sql)
  if (!match) return WRITE_KEYWORD.test(sql) && !/^\s*(?:SELECT|EXPLAIN)\b/i.test(sql) ? 'anything' : undefined
  const [whole, table = ''] = match
  return /delete|replace/i.test(whole) ? [table, `DELETE ${table}`] : [table]
}

/** Every {@link QueryCache} of one store. */
export class QueryCaches {
  readonly #all: { readonly tables: ReadonlySet<string>; readonly cache: QueryCache<unknown> }[] = []

  /** @param tables the tables it is computed from; `DELETE users` means only deleted rows */
  cacheOf<T>(tables: readonly string[]): QueryCache<T> {
    const cache: QueryCache<T> = new Map()
    this.#all.push({ tables: new Set(tables), cache })
    return cache
  }

  wrote(written: Written | 'anything'): void {
    for (const { tables, cache } of this.#all) {
      if (cache.size > 0 && (written === 'anything' || written.some((name) => tables.has(name)))) cache.clear()
    }
  }
}
