/** Something computed from tables and kept in memory, by key. Empty again whenever someone else wrote those tables. */
export type QueryCache<T> = Map<string, T>

/** What a statement writes: `members`, or `DELETE users` when rows go away, which may take others with them. */
export type Written = readonly string[]

const WRITES = /^\s*(?:INSERT|REPLACE|UPDATE|DELETE)(?:\s+OR\s+[A-Z]+)?\s+(?:INTO\s+|FROM\s+)?"?([a-z_]+)/i
const SOMEWHERE = /\b(?:INSERT|REPLACE|UPDATE|DELETE)\b/i

/** Of a statement's text; `undefined`: nothing. A text of another form that writes is taken to write everything. */
export function writtenBy(sql: string): Written | 'anything' | undefined {
  const match = WRITES.exec(sql)
  if (!match) return SOMEWHERE.test(sql) && !/^\s*(?:SELECT|EXPLAIN)\b/i.test(sql) ? 'anything' : undefined
  const [whole, table = ''] = match
  return /delete|replace/i.test(whole) ? [table, `DELETE ${table}`] : [table]
}

/** Every {@link QueryCache} of one store. */
export class QueryCaches {
  readonly #all: { readonly tables: ReadonlySet<string>; readonly cache: QueryCache<unknown> }[] = []

  /** @param tables those it is computed from; `DELETE users` means only rows that go away */
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
