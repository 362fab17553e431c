/**
 * True when an object of this valid JSON names a key twice: `JSON.parse` silently takes the last of two, and another
 * reader might take the first.
 */
export function hasDuplicateKeys(text: string): boolean {
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '{') open.push(new Set())
    else if (char === '[') open.push(undefined)
    else if (char === '}' || char === ']') open.pop()
    else if (char === '"') {
      const end = stringEnd(text, at)
      const keys = open.at(-1)
      if (keys && isKey(text, end)) {
        const key = keyOf(text.slice(at, end))
        if (keys.has(key)) return true
        keys.add(key)
      }
      at = end - 1
    }
  }
  return false
}

/** The position after the closing quote. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

function isKey(text: string, from: number): boolean {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return text[at] === ':'
}

/** `"\u0061"` and `"a"` are one key. */
function keyOf(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
}
