/** The set with the value if it was without it, and the other way round. */
export function toggled<Value>(set: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const next = new Set(set)
  if (!next.delete(value)) next.add(value)
  return next
}
