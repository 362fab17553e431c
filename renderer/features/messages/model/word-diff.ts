/** A run of unchanged, removed or added words. */
type DiffRun = { readonly kind: 'same' | 'removed' | 'added'; readonly text: string }

/** Largest table to compute; longer texts are shown as removed and added as a whole. */
const MAX_CELLS = 400_000

/** The difference between two texts by word; spaces and punctuation are separate tokens. */
export function wordDiff(before: string, after: string): readonly DiffRun[] {
  const [a, b] = [tokensOf(before), tokensOf(after)]
  const head = sharedStart(a, b)
  const tail = sharedStart(a.slice(head).toReversed(), b.slice(head).toReversed())
  const middle = changed(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  return joined([
    ...a.slice(0, head).map((text) => ({ kind: 'same', text }) as const),
    ...middle,
    ...a.slice(a.length - tail).map((text) => ({ kind: 'same', text }) as const),
  ])
}

const tokensOf = (text: string): readonly string[] =>
  text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? []

function sharedStart(a: readonly string[], b: readonly string[]): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1
  return at
}

/** Difference by longest common subsequence, computed from the end. */
function changed(a: readonly string[], b: readonly string[]): readonly DiffRun[] {
  if (a.length * b.length > MAX_CELLS) return [removed(a), added(b)].flat()
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

const removed = (tokens: readonly string[]): readonly DiffRun[] => tokens.map((text) => ({ kind: 'removed', text }))
const added = (tokens: readonly string[]): readonly DiffRun[] => tokens.map((text) => ({ kind: 'added', text }))

/** Joins adjacent runs of the same kind. */
function joined(runs: readonly DiffRun[]): readonly DiffRun[] {
  const out: DiffRun[] = []
  for (const run of runs) {
    const last = out.at(-1)
    if (last?.kind === run.kind) out[out.length - 1] = { kind: run.kind, text: last.text + run.text }
    else out.push(run)
  }
  return out
}
