import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made = new Set<string>()

/** A folder that is removed with the process. */
export function benchFolder(name: string): string {
  const path = mkdtempSync(join(tmpdir(), `parlor-bench-${name}-`))
  made.add(path)
  return path
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true })
  made.delete(path)
}

process.on('exit', () => {
  for (const path of made) removeFolder(path)
})
