import { fold, foldWithOffsets } from './fold.ts'

/** Splits a name around the part that matches a query, for highlighting it. */
export function matchIn(name: string, query: string): { before: string; match: string; after: string } {
  const { text, at } = foldWithOffsets(name)
  const wanted = fold(query)
  const found = wanted === '' ? -1 : text.indexOf(wanted)
  if (found < 0) return { before: name, match: '', after: '' }
  const [from, to] = [at[found] ?? 0, at[found + wanted.length] ?? name.length]
  return { before: name.slice(0, from), match: name.slice(from, to), after: name.slice(to) }
}
