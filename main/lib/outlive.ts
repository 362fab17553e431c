import type { EventEmitter } from 'node:events'
import { AppError } from '#shared/lib/app-error.ts'
import type { LogSink } from './logger.ts'
import { logger } from './logger.ts'

/** The part of `process` that hears what no one caught. */
type Process = Pick<EventEmitter, 'on'> & {
  readonly stdout: Pick<EventEmitter, 'on'>
  readonly stderr: Pick<EventEmitter, 'on'>
}

/**
 * The one guard under every timer, event handler, worker message and forgotten promise of a process: what any of them
 * throws ends what it was doing, is noted, and never ends the process. Each entry asks for it before anything else runs.
 * What has to be done again (a disk that refused) is done again by anyone who planned it.
 */
export function outlive(process: Process, sink: LogSink): void {
  const log = logger('process', sink)
  const note = (event: string) => (error: unknown) => log.error(event, { error: wordsOf(error) })
  process.on('uncaughtException', note('uncaught'))
  process.on('unhandledRejection', note('unhandled'))
  // A closed pipe or a full disk under the terminal costs the line that was to be printed, and would be noted there again.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

function wordsOf(error: unknown): string {
  if (error instanceof AppError) return error.code
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 2_000)
}
