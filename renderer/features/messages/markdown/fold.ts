/** Longer texts are cut until asked for. Chosen so that a screenful stays a screenful. */
const MAX_LINES = 40
const MAX_CHARS = 4_000

type Folded = {
  readonly text: string
  /** Lines that are not shown; 0 when nothing is cut. */ readonly lines: number
}

/** The beginning of a very long text, cut between lines (or words) and never inside a fence. */
export function fold(text: string): Folded {
  const lines = text.split('\n')
  if (lines.length <= MAX_LINES && text.length <= MAX_CHARS) return { text, lines: 0 }
  const kept: string[] = []
  let chars = 0
  for (const line of lines.slice(0, MAX_LINES)) {
    if (chars + line.length > MAX_CHARS) {
      if (kept.length === 0) kept.push(cutLine(line))
      break
    }
    kept.push(line)
    chars += line.length + 1
  }
  const fence = openFence(kept)
  return {
    text: [...kept, ...(fence === undefined ? [] : [fence])].join('\n'),
    lines: Math.max(1, lines.length - kept.length),
  }
}

/** A single endless line is cut after a word, or after a character where there are no words. */
function cutLine(line: string): string {
  // Never between the two halves of one character.
  const cut = line.slice(0, MAX_CHARS).replace(/[\uD800-\uDBFF]$/, '')
  const space = cut.lastIndexOf(' ')
  return `${space > MAX_CHARS / 2 ? cut.slice(0, space) : cut}…`
}

/** The fence that is still open after these lines. */
function openFence(lines: readonly string[]): string | undefined {
  let open: string | undefined
  for (const line of lines) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined) continue
    if (open === undefined) open = fence
    else if (fence[0] === open[0] && fence.length >= open.length) open = undefined
  }
  return open
}
