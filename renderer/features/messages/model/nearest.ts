/**
 * The anchor when its row has gone (a deleted message, a trimmed page): the nearest row that is still there, first
 * downwards, then upwards, in the order the rows had before.
 */
export function nearestKept(before: readonly string[], key: string, kept: ReadonlySet<string>): string | undefined {
  const index = before.indexOf(key)
  if (index < 0) return undefined
  for (let at = index; at < before.length; at++) {
    const candidate = before[at]
    if (candidate !== undefined && kept.has(candidate)) return candidate
  }
  for (let at = index - 1; at >= 0; at--) {
    const candidate = before[at]
    if (candidate !== undefined && kept.has(candidate)) return candidate
  }
  return undefined
}
