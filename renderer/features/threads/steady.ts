/** Visible rows, and newer ones that would be inserted among them. */
type Steady = { readonly shown: readonly string[]; readonly fresh: readonly string[] }

/**
 * The rows of a list that must not move while it is read: visible rows keep their place, also when they no longer match,
 * and new rows between them wait until the user shows them. Rows after the last one (the next page) are appended.
 *
 * @param shown the visible rows
 * @param wanted the rows that match now, in their order
 * @param held all rows that can still be drawn; others are removed
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
