import type { Clock, Stop } from '#main/lib/clock.ts'

/** Writes queued items together, because one commit costs the same for several items as for one. */
export type BatchWriter<Item> = {
  /** Resolves once the item is written; rejects when it, alone, cannot be. */
  add(item: Item): Promise<void>
  /** How many items are queued. */
  count(): number
  /** Writes the queued items now. */
  flush(): void
}

type Waiting<Item> = { readonly item: Item; readonly resolve: () => void; readonly reject: (error: unknown) => void }

/**
 * @param write writes all items or none, and may be called again with items it refused: when a batch fails, each item is
 *   tried alone, so that one bad item does not block the others
 */
export function createBatchWriter<Item>(
  clock: Pick<Clock, 'after'>,
  write: (items: readonly Item[]) => void,
): BatchWriter<Item> {
  let waiting: Waiting<Item>[] = []
  let planned: Stop | undefined

  function flush(): void {
    planned?.()
    planned = undefined
    const due = waiting
    waiting = []
    if (due.length > 0) attempt(due)
  }

  function attempt(due: readonly Waiting<Item>[]): void {
    try {
      write(due.map(({ item }) => item))
    } catch (error) {
      if (due.length > 1) return due.forEach((each) => attempt([each]))
      return due[0]?.reject(error)
    }
    for (const { resolve } of due) resolve()
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        planned ??= clock.after(0, flush)
      }),
    count: () => waiting.length,
    flush,
  }
}
