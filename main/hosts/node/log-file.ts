import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** In the profile's folder. The previous file, from when this one grew too large, ends with `.1`. */
export const LOG_FILE = join('logs', 'parlor.log')
const MOST_BYTES = 1_000_000

/**
 * Writes the log to disk: the newest million bytes, and the million before. A line that cannot be written is dropped,
 * and the work goes on.
 */
export function logFile(dataFolder: string): (line: string) => void {
  const path = join(dataFolder, LOG_FILE)
  let size: number | undefined
  return (line) => {
    try {
      size ??= begin(path)
      if (size + line.length > MOST_BYTES) {
        renameSync(path, `${path}.1`)
        size = 0
      }
      appendFileSync(path, line, { mode: 0o600 })
      size += line.length
    } catch {
      size = undefined
    }
  }
}

function begin(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
