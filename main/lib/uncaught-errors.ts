import type { EventEmitter } from 'node:events'
import { AppError } from '#shared/lib/app-error.ts'
import { type LogSink, logger } from './logger.ts'

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
