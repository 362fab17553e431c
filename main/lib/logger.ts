import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { EventEmitter } from 'node:events'
import { AppError } from '#shared/lib/app-error.ts'
/**
 * Structured log lines for troubleshooting. They contain ids; never message text, names, tokens or file names. `error`:
 * needs attention; `warn`: degraded but handled; `info`: state transitions; `debug`: per event.
 */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug'
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>
export type LogSink = (level: LogLevel, area: string, event: string, fields: LogFields) => void

export type Logger = {
  error(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  debug(event: string, fields?: LogFields): void
}

export function logger(area: string, sink: LogSink): Logger {
  const at =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}) =>
      sink(level, area, event, fields)
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}

const RANK: Record<LogLevel, number> = { error: 0, warn: 1, info: 2, debug: 3 }

/** Writes JSON lines to a stream (standard error in the product), masking anything shaped like a JWT. */
export function jsonLines(write: (line: string) => void, level: LogLevel, now: () => number): LogSink {
  return (at, area, event, fields) => {
    if (RANK[at] > RANK[level]) return
    const line = JSON.stringify({ at: new Date(now()).toISOString(), level: at, area, event, ...fields })
    write(`${line.replace(/[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, '<token>')}\n`)
  }
}

export const silentSink: LogSink = () => {}

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

/** The part of `process` that reports uncaught errors. */
type Process = Pick<EventEmitter, 'on'> & {
  readonly stdout: Pick<EventEmitter, 'on'>
  readonly stderr: Pick<EventEmitter, 'on'>
}

/**
 * The one guard of a process for every timer, event handler, worker message and unhandled promise: an uncaught error
 * ends the failed operation, is logged, and never ends the process. Each entry point installs it before anything else
 * runs. Retrying (after a disk error) is up to the code that scheduled the operation.
 */
export function handleUncaughtErrors(process: Process, sink: LogSink): void {
  const log = logger('process', sink)
  const note = (event: string) => (error: unknown) => log.error(event, { error: describe(error) })
  process.on('uncaughtException', note('uncaught'))
  process.on('unhandledRejection', note('unhandled'))
  // A closed pipe or a full disk under the terminal loses the line, and logging the error would fail there again.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

function describe(error: unknown): string {
  if (error instanceof AppError) return error.code
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 2_000)
}
