/**
 * Replacement for an anchor whose row was removed (a deleted message, a trimmed page): the nearest remaining row, first
 * below, then above, in the previous order.
 */
export function nearestRemaining(
  before: readonly string[],
  key: string,
  remaining: ReadonlySet<string>,
): string | undefined {
  const index = before.indexOf(key)
  if (index < 0) return undefined
  for (let at = index; at < before.length; at++) {
    const candidate = before[at]
    if (candidate !== undefined && remaining.has(candidate)) return candidate
  }
  for (let at = index - 1; at >= 0; at--) {
    const candidate = before[at]
    if (candidate !== undefined && remaining.has(candidate)) return candidate
  }
  return undefined
}
