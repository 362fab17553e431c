/**
 * Rows that nearly every event looks at and few change, kept parsed beside the connection they were read from. Right
 * because one connection alone writes the file: anyone who writes a row forgets it here, and what was undone is forgotten
 * as a whole. Values are shared: they are never changed in place.
 */
export type Memo = {
  /** What stands under `key`; the first time, and after it was forgotten, `read` is asked. */
  of<T>(key: string, read: () => T): T
  /** What stands under `key` now; nothing is read. */
  peek(key: string): unknown
  /** Written just now. */
  put(key: string, value: unknown): void
  forget(key: string): void
  clear(): void
}

/** More than this and all is forgotten: a bound, not a target. An account of 10,000 channels has some 60,000 such rows. */
const LIMIT = 250_000

export function createMemo(): Memo {
  const held = new Map<string, unknown>()
  function put(key: string, value: unknown): void {
    if (held.size >= LIMIT) held.clear()
    held.set(key, value)
  }
  return {
    of<T>(key: string, read: () => T): T {
      if (held.has(key)) return held.get(key) as T
      const value = read()
      put(key, value)
      return value
    },
    peek: (key) => held.get(key),
    put,
    forget: (key) => void held.delete(key),
    clear: () => held.clear(),
  }
}
