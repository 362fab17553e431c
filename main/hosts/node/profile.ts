import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { HostInfo } from '#shared/bridge/transport.ts'
import { jsonLines, type LogLevel, type LogSink, logFile } from '#main/lib/logger.ts'

/** Why the app cannot start, in one plain line for a person. Everything the entries print is one of these. */
export class StartError extends Error {
  readonly exitCode: number
  constructor(line: string, exitCode = 1, options?: { cause?: unknown }) {
    super(line, options)
    this.name = 'StartError'
    this.exitCode = exitCode
  }
}

export function thisOs(): HostInfo['os'] {
  if (process.platform === 'win32') return 'windows'
  return process.platform === 'darwin' ? 'macos' : 'linux'
}

/** The profile folder unless `--data` names one; the same for both hosts. */
export function defaultDataFolder(
  os: HostInfo['os'] = thisOs(),
  environment: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): string {
  switch (os) {
    case 'windows':
      return join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Parlor')
    case 'macos':
      return join(home, 'Library', 'Application Support', 'Parlor')
    case 'linux':
      return join(environment['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'parlor')
  }
}

/**
 * Creates the profile folder (0700) and checks that it can be written. An existing profile is opened on a full or
 * read-only disk too: it can still be read.
 */
export function openDataFolder(folder: string): void {
  try {
    createFolder(folder)
    chmodSync(folder, 0o700)
    const probe = join(folder, `.write-${process.pid}`)
    closeSync(openSync(probe, 'w', 0o600))
    rmSync(probe)
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown'
    if (isUnwritable(reason) && existsSync(join(folder, 'settings.json'))) return
    throw new StartError(`Parlor cannot write to its folder ${folder} (${reason}). Choose another with --data.`, 1, {
      cause,
    })
  }
}

/** Level by level: Node's own recursive mkdir never returns for some folders that cannot be made (seen below /proc). */
function createFolder(folder: string): void {
  if (existsSync(folder)) return
  createFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/**
 * Takes `profile.lock` in the folder: pid and start time of its owner. A lock whose owner has ended, or whose pid now
 * belongs to a younger process, is replaced.
 *
 * @returns a function that releases the lock
 */
export function takeProfileLock(folder: string): () => void {
  const path = join(folder, 'profile.lock')
  const mine = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) ?? '' })
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (createExclusively(path, mine)) return () => releaseLock(path, mine)
    const owner = readOwner(path)
    if (owner !== undefined && isAlive(owner)) {
      throw new StartError(`This profile is already open in another Parlor (process ${owner.pid}): ${folder}`)
    }
    if (!isRemoved(path)) return () => undefined
  }
  throw new StartError(`Parlor cannot lock its profile folder ${folder}.`)
}

/** A lock on a read-only disk stays: its owner has ended, and no process can write there. */
function isRemoved(path: string): boolean {
  try {
    rmSync(path, { force: true })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return false
    throw error
  }
}

type Owner = { readonly pid: number; readonly startedAt: string }

function createExclusively(path: string, text: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600)
    try {
      writeSync(file, text)
    } finally {
      closeSync(file)
    }
    return true
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown'
    if (reason === 'EEXIST') return false
    // The disk is full: another start takes the empty lock over, and is stopped by the locks of the databases.
    if (isUnwritable(reason)) return true
    throw error
  }
}

const isUnwritable = (reason: string): boolean => ['ENOSPC', 'EDQUOT', 'EROFS'].includes(reason)

function readOwner(path: string): Owner | undefined {
  try {
    const owner = JSON.parse(readFileSync(path, 'utf8')) as { pid?: unknown; startedAt?: unknown }
    return typeof owner.pid === 'number'
      ? { pid: owner.pid, startedAt: typeof owner.startedAt === 'string' ? owner.startedAt : '' }
      : undefined
  } catch {
    // Half written or removed: no running process holds it.
    return undefined
  }
}

function isAlive(owner: Owner): boolean {
  if (owner.pid === process.pid) return false
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  const startedAt = startOf(owner.pid)
  return startedAt === undefined || owner.startedAt === '' || startedAt === owner.startedAt
}

/** Start time of a process in clock ticks since boot, where the system reports it (Linux). */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    // No /proc here: the pid alone decides.
    return undefined
  }
}

function releaseLock(path: string, mine: string): void {
  const owner = readOwner(path)
  if (owner && JSON.stringify(owner) === mine) isRemoved(path)
}

const LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']

/** Log lines on standard error: errors, or from the level that `PARLOR_LOG` names (error, warn, info, debug). */
function logToStderr(): LogSink {
  const level = LEVELS.find((name) => name === process.env['PARLOR_LOG']) ?? 'error'
  return jsonLines((line) => process.stderr.write(line), level, now)
}

/** The same, and from `info` on into the profile's folder, where the settings show it. */
export function logToFolder(dataFolder: string): LogSink {
  const loud = logToStderr()
  const logToFile = jsonLines(profileLog(dataFolder), 'info', now)
  return (...line) => {
    loud(...line)
    logToFile(...line)
  }
}

const now = (): number => Date.now()

export function appVersion(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
}

/** Prints one line, never a stack (unless asked with `PARLOR_LOG=debug`), and returns the exit code. */
export function printStartError(error: unknown): number {
  const known = isStartError(error)
  const message = error instanceof Error ? error.message : String(error)
  console.error(known ? message : `Parlor could not start: ${message.split('\n')[0] ?? ''}`)
  if (process.env['PARLOR_LOG'] === 'debug') console.error(error)
  return known ? error.exitCode : 1
}

/** By name: the built program that `npm start` runs has a copy of the class. */
const isStartError = (error: unknown): error is StartError => error instanceof Error && error.name === 'StartError'

/** In the profile's folder. The previous file, from when this one grew too large, ends with `.1`. */
export const LOG_FILE = join('logs', 'parlor.log')
const MOST_BYTES = 1_000_000

/** Writes the log to disk: the newest million bytes, and the million before. */
export const profileLog = (dataFolder: string): ((line: string) => void) =>
  logFile(join(dataFolder, LOG_FILE), { mostBytes: MOST_BYTES, older: 1 })
