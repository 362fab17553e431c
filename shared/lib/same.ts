/** Deep equality, ignoring key order; a field that is `undefined` equals an absent one. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b)
  if (Array.isArray(a) || Array.isArray(b)) return isSameList(a, b)
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]
  for (const key in one) if (!isSame(one[key], other[key])) return false
  for (const key in other) if (other[key] !== undefined && one[key] === undefined) return false
  return true
}

function isSameList(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
  return a.every((part, index) => isSame(part, b[index]))
}
