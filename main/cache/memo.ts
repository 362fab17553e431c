/**
 * Parsed rows that nearly every event reads and few change, cached with their connection. Valid because only this
 * connection writes the file: code that writes a row invalidates it here, and a rollback clears everything. Values are
 * shared and never mutated.
 */
export type Memo = {
  /** The value of `key`; calls `read` if it is missing. */
  of<T>(key: string, read: () => T): T
  /** The current value of `key`, without reading. */
  peek(key: string): unknown
  /** Stores a value that was just written. */
  put(key: string, value: unknown): void
  forget(key: string): void
  clear(): void
}

/** Above this everything is cleared: a safety limit. An account of 10,000 channels has about 60,000 such rows. */
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
