import { fold } from './fold.ts'

/** How well a name matches a query: lower is better, `undefined` is no match. */
function rank(name: string, query: string): number | undefined {
  const folded = fold(name)
  const wanted = fold(query)
  if (wanted === '') return 3
  if (folded.startsWith(wanted)) return 0
  if (folded.split(/[\s_\-.]+/).some((word) => word.startsWith(wanted))) return 1
  return folded.includes(wanted) ? 2 : undefined
}

/** The items that match the query, best first; equal matches keep their order. */
export function filterRanked<Item>(
  items: readonly Item[],
  query: string,
  nameOf: (item: Item) => string,
): readonly Item[] {
  return items
    .flatMap((item, at) => {
      const points = rank(nameOf(item), query)
      return points === undefined ? [] : [{ item, points, at }]
    })
    .toSorted((a, b) => a.points - b.points || a.at - b.at)
    .map(({ item }) => item)
}

/** What is between the commas, each once and without spaces around it. */
export const itemsIn = (text: string): readonly string[] => {
  const items = text.split(',').map((item) => item.trim())
  return [...new Set(items)].filter((item) => item !== '')
}
