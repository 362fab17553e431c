/** A run of words that stayed, went or came. */
type DiffRun = { readonly kind: 'same' | 'removed' | 'added'; readonly text: string }

/** Beyond this many steps two texts are shown one after the other: a wholly new text has nothing to compare. */
const MOST_CELLS = 400_000

/** What changed from one text to the next, by words; spaces and marks count as words of their own. */
export function wordDiff(before: string, after: string): readonly DiffRun[] {
  const [a, b] = [textOf(before), textOf(after)]
  const head = sharedStart(a, b)
  const tail = sharedStart(a.slice(head).toReversed(), b.slice(head).toReversed())
  const middle = changed(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  return joined([
    ...a.slice(0, head).map((text) => ({ kind: 'same', text }) as const),
    ...middle,
    ...a.slice(a.length - tail).map((text) => ({ kind: 'same', text }) as const),
  ])
}

const textOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? []

function sharedStart(a: readonly string[], b: readonly string[]): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1
  return at
}

/** The longest common subsequence, walked from its end. */
function changed(a: readonly string[], b: readonly string[]): readonly DiffRun[] {
  if (a.length * b.length > MOST_CELLS) return [removed(a), added(b)].flat()
  const width = b.length + 1
  const longest = new Uint16Array((a.length + 1) * width)
  const of = (i: number, j: number): number => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = a[i] === b[j] ? of(i + 1, j + 1) + 1 : Math.max(of(i + 1, j), of(i, j + 1))
    }
  }
  const runs: DiffRun[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      runs.push({ kind: 'same', text: a[i] ?? '' })
      i += 1
      j += 1
    } else if (of(i + 1, j) >= of(i, j + 1)) runs.push({ kind: 'removed', text: a[i++] ?? '' })
    else runs.push({ kind: 'added', text: b[j++] ?? '' })
  }
  return [...runs, ...removed(a.slice(i)), ...added(b.slice(j))]
}

const removed = (words: readonly string[]): readonly DiffRun[] => words.map((text) => ({ kind: 'removed', text }))
const added = (words: readonly string[]): readonly DiffRun[] => words.map((text) => ({ kind: 'added', text }))

/** Neighbours of one kind become one run. */
function joined(runs: readonly DiffRun[]): readonly DiffRun[] {
  const out: DiffRun[] = []
  for (const run of runs) {
    const last = out.at(-1)
    if (last?.kind === run.kind) out[out.length - 1] = { kind: run.kind, text: last.text + run.text }
    else out.push(run)
  }
  return out
}
