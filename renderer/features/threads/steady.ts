/** Rows that stand, and what came meanwhile and would stand among them. */
type Steady = { readonly shown: readonly string[]; readonly fresh: readonly string[] }

/**
 * What a list shows that nothing moves under the reader: rows stay where they are, also when they no longer belong, and
 * what comes between them waits until it is asked for. What follows the last row (a page more) is put after it.
 *
 * @param shown what stands now
 * @param wanted what belongs there by now, in its order
 * @param held everything that can still be drawn; the rest leaves
 */
export function steadied(shown: readonly string[], wanted: readonly string[], held: ReadonlySet<string>): Steady {
  const remaining = shown.filter((id) => held.has(id))
  if (remaining.length === 0) return { shown: wanted, fresh: [] }
  const remainingIds = new Set(remaining)
  const last = wanted.findLastIndex((id) => remainingIds.has(id))
  const added = wanted.filter((id, at) => !remainingIds.has(id) && at > last && last >= 0)
  const after = new Set(added)
  return {
    shown: added.length === 0 && remaining.length === shown.length ? shown : [...remaining, ...added],
    fresh: wanted.filter((id) => !remainingIds.has(id) && !after.has(id)),
  }
}
