/**
 * Writes that many steps make again. They wait for a statement that they concern, or until they are flushed: at the end
 * of the transaction, or later.
 */
export type WaitingWrites<Write extends { run(): void }> = {
  /** What waits under this name. */
  of(name: string): Write | undefined
  /** Replaces what waits under the same name. */
  put(name: string, write: Write): void
  /** Runs them now. If one fails, all of them still wait: its transaction is undone. */
  flush(): void
  /** The transaction failed. */
  drop(): void
  /** Before a part of the transaction that may be undone alone. Returns what to call when it was. */
  part(): () => void
  /** Runs statements that what waits does not concern, whatever they look like. */
  besides<T>(work: () => T): T
  /** To be called before each statement. */
  readonly before: (statement: string) => void
}

/** More are written before a part begins: a long transaction may have thousands of parts. */
const MAX_KEPT = 200

/** Some texts are composed of filters, and each is another one. */
const MAX_STATEMENTS = 1_000

/** @param concerns whether a statement reads or writes what the waiting ones write */
export function createWaitingWrites<Write extends { run(): void }>(
  concerns: (statement: string) => boolean,
): WaitingWrites<Write> {
  let waiting = new Map<string, Write>()
  const concerned = new Map<string, boolean>()
  let isApart = false
  function flush(): void {
    const before = waiting
    waiting = new Map()
    try {
      for (const write of before.values()) write.run()
    } catch (error) {
      waiting = before
      throw error
    }
  }
  function isConcerned(statement: string): boolean {
    const known = concerned.get(statement)
    if (known !== undefined) return known
    const found = concerns(statement)
    if (concerned.size >= MAX_STATEMENTS) concerned.clear()
    concerned.set(statement, found)
    return found
  }
  return {
    of: (name) => waiting.get(name),
    put: (name, write) => void waiting.set(name, write),
    flush,
    drop: () => waiting.clear(),
    part() {
      if (waiting.size > MAX_KEPT) flush()
      const before = new Map(waiting)
      return () => (waiting = before)
    },
    besides(work) {
      isApart = true
      try {
        return work()
      } finally {
        isApart = false
      }
    },
    before(statement) {
      if (waiting.size > 0 && !isApart && isConcerned(statement)) flush()
    },
  }
}
