/** Letters without a canonical decomposition. See docs/wire.md 7.18. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  ł: 'l',
  đ: 'd',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ı: 'i',
}

type Folded = {
  readonly text: string
  /** For each folded letter the offset of the letter it came from, and one more for the end. */
  readonly at: readonly number[]
}

/** Lower case without diacritics, spaces all alike: `Łódź` and `lodz`, `Ёлка` and `елка` are the same. */
export function fold(text: string): string {
  return foldWithOffsets(text).text
}

/** Like {@link fold}, with the original offset of every letter, so that a match can be highlighted in the original. */
export function foldWithOffsets(text: string): Folded {
  let folded = ''
  const at: number[] = []
  for (let offset = 0; offset < text.length;) {
    const letter = String.fromCodePoint(text.codePointAt(offset) ?? 0)
    const plain = foldLetter(letter)
    for (let i = 0; i < plain.length; i++) at.push(offset)
    folded += plain
    offset += letter.length
  }
  return { text: folded, at: [...at, text.length] }
}

function foldLetter(letter: string): string {
  const bare = letter
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/\s/g, ' ')
    .toLowerCase()
  return UNDECOMPOSED[bare] ?? bare
}

/** Edit distance between two short words; `limit + 1` if it is larger than the limit. */
export function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    if (Math.min(...next) > limit) return limit + 1
    row = next
  }
  return row[b.length] ?? limit + 1
}

/** Splits a name around the part that matches a query, for highlighting it. */
export function matchIn(name: string, query: string): { before: string; match: string; after: string } {
  const { text, at } = foldWithOffsets(name)
  const wanted = fold(query)
  const found = wanted === '' ? -1 : text.indexOf(wanted)
  if (found < 0) return { before: name, match: '', after: '' }
  const [from, to] = [at[found] ?? 0, at[found + wanted.length] ?? name.length]
  return { before: name.slice(0, from), match: name.slice(from, to), after: name.slice(to) }
}
