import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One instance per folder: the first keeps its process id there, a later one leaves a file that the first hears of.
 * A process id of someone dead counts for nothing.
 */
export function takeInstanceLock(folder: string, onSecond: (argv: readonly string[]) => void): boolean {
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, 'standin.lock')
  const knock = join(folder, 'standin.knock')
  if (isAlive(readPid(lock))) {
    writeFileSync(`${knock}.new`, JSON.stringify(process.argv))
    renameSync(`${knock}.new`, knock)
    return false
  }
  writeFileSync(lock, String(process.pid))
  rmSync(knock, { force: true })
  const watcher = watch(folder, (_event, name) => {
    if (name !== 'standin.knock' || !existsSync(knock)) return
    const argv = JSON.parse(readFileSync(knock, 'utf8')) as string[]
    rmSync(knock)
    onSecond(argv)
  })
  watcher.unref()
  return true
}

function readPid(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    return undefined // No one was here before.
  }
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false // No such process.
  }
}
