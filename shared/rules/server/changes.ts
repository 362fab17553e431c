import type { ChangeSet } from '#shared/domain/changes.ts'

/** One change-set with the effect of `first` followed by `second`. */
export function mergeChangeSets(first: ChangeSet, second: ChangeSet): ChangeSet {
  const put: Record<string, Record<string, unknown>> = {}
  const del: Record<string, Set<string>> = {}
  for (const set of [first, second]) {
    for (const [table, keys] of Object.entries(set.del)) {
      const deleted = (del[table] ??= new Set())
      for (const key of keys) {
        deleted.add(key)
        delete put[table]?.[key]
      }
    }
    for (const [table, rows] of Object.entries(set.put)) {
      for (const key of Object.keys(rows)) del[table]?.delete(key)
      put[table] = { ...put[table], ...rows }
    }
  }
  const windows = new Map(first.windows.map((window) => [window.key, window]))
  const closed = new Set(first.closed)
  for (const key of second.closed) {
    windows.delete(key)
    closed.add(key)
  }
  for (const window of second.windows) {
    closed.delete(window.key)
    windows.set(window.key, window)
  }
  return {
    rev: second.rev,
    put,
    del: Object.fromEntries(Object.entries(del).map(([table, keys]) => [table, [...keys]])),
    windows: [...windows.values()],
    closed: [...closed],
  }
}
