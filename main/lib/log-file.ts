import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

type Rotation = {
  /** Beyond this size a new file begins. */
  readonly mostBytes: number
  /** How many older files stay: `.1` is the one before, `.2` the one before that. */
  readonly older: number
}

/**
 * Writes lines to a file that does not grow forever. A line that cannot be written is dropped, and the work continues;
 * what is returned says whether it was written.
 */
export function logFile(path: string, { mostBytes, older }: Rotation): (line: string) => boolean {
  let size: number | undefined
  return (line) => {
    try {
      size ??= begin(path)
      if (size > 0 && size + line.length > mostBytes) {
        rotate(path, older)
        size = 0
      }
      appendFileSync(path, line, { mode: 0o600 })
      size += line.length
      return true
    } catch {
      size = undefined
      return false
    }
  }
}

function begin(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return sizeOf(path) ?? 0
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size

function rotate(path: string, older: number): void {
  for (let at = older - 1; at >= 1; at -= 1) {
    if (sizeOf(`${path}.${at}`) !== undefined) renameSync(`${path}.${at}`, `${path}.${at + 1}`)
  }
  renameSync(path, `${path}.1`)
}
