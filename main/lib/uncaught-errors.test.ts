import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { handleUncaughtErrors } from './uncaught-errors.ts'

/** The part of `process` that the guard uses. */
class FakeProcess extends EventEmitter {
  readonly stdout = new EventEmitter()
  readonly stderr = new EventEmitter()
}

test('an uncaught error is logged by code or with its stack, without further details', () => {
  const process = new FakeProcess()
  const noted: unknown[] = []
  handleUncaughtErrors(process, (...line) => void noted.push(line))
  process.emit('uncaughtException', new AppError('disk/full', { detail: 'text of a message' }))
  process.emit('unhandledRejection', new TypeError('no such thing'))
  expect(noted).toEqual([
    ['error', 'process', 'uncaught', { error: 'disk/full' }],
    ['error', 'process', 'unhandled', { error: expect.stringContaining('uncaught-errors.test.ts') as string }],
  ])
})

test('a terminal that accepts no more output does not end the process', () => {
  const process = new FakeProcess()
  handleUncaughtErrors(process, () => undefined)
  for (const stream of [process.stdout, process.stderr])
    expect(() => stream.emit('error', Object.assign(new Error('full'), { code: 'ENOSPC' }))).not.toThrow()
})
