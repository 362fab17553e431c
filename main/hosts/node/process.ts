import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { logFile } from '#main/lib/log-file.ts'
import { jsonLines, type LogLevel, type LogSink } from '#main/lib/logger.ts'
import type { StartError } from './profile.ts'

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
