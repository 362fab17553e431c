/** Longer texts are folded, so that one message does not fill more than about a screen. */
const MAX_SHOWN_LINES = 40
const MAX_SHOWN_CHARS = 4_000

type Folded = {
  readonly text: string
  /** Hidden lines; 0 when nothing is cut. */ readonly lines: number
}

/** The start of a long text, cut between lines (or words); an open code fence is closed. */
export function fold(text: string): Folded {
  const lines = text.split('\n')
  if (lines.length <= MAX_SHOWN_LINES && text.length <= MAX_SHOWN_CHARS) return { text, lines: 0 }
  const shown: string[] = []
  let chars = 0
  for (const line of lines.slice(0, MAX_SHOWN_LINES)) {
    if (chars + line.length > MAX_SHOWN_CHARS) {
      if (shown.length === 0) shown.push(cutLine(line))
      break
    }
    shown.push(line)
    chars += line.length + 1
  }
  const fence = openFence(shown)
  return {
    text: [...shown, ...(fence === undefined ? [] : [fence])].join('\n'),
    lines: Math.max(1, lines.length - shown.length),
  }
}

/** Cuts a very long line after a word, or after a character if it has no spaces. */
function cutLine(line: string): string {
  // Never inside a surrogate pair.
  const cut = line.slice(0, MAX_SHOWN_CHARS).replace(/[\uD800-\uDBFF]$/, '')
  const space = cut.lastIndexOf(' ')
  return `${space > MAX_SHOWN_CHARS / 2 ? cut.slice(0, space) : cut}…`
}

/** The code fence that is still open after these lines. */
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
