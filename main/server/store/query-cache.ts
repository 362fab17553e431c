/**
 * Tables from which caches are computed. Each statement that writes one of them says so, by `changing` or
 * `keepingCaches` of the database; `query-cache.test.ts` looks for one that does not.
 */
export type CachedTable = 'members' | 'channels' | 'channel_mutes' | 'settings'

/** Values computed from tables, cached by key. */
export type QueryCache<T> = Map<string, T>

/** Every {@link QueryCache} of one database. */
export class QueryCaches {
  readonly #all: { readonly tables: ReadonlySet<CachedTable>; readonly cache: QueryCache<unknown> }[] = []

  cacheOf<T>(tables: readonly CachedTable[]): QueryCache<T> {
    const cache: QueryCache<T> = new Map()
    this.#all.push({ tables: new Set(tables), cache })
    return cache
  }

  changed(written: readonly CachedTable[]): void {
    for (const { tables, cache } of this.#all) if (written.some((table) => tables.has(table))) cache.clear()
  }

  clear(): void {
    for (const { cache } of this.#all) cache.clear()
  }
}
