import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { outlive } from './outlive.ts'

/** `process`, as far as the guard hears it. */
class FakeProcess extends EventEmitter {
  readonly stdout = new EventEmitter()
  readonly stderr = new EventEmitter()
}

test('what no one caught is noted by code, or with where it came from, and that is all', () => {
  const process = new FakeProcess()
  const noted: unknown[] = []
  outlive(process, (...line) => void noted.push(line))
  process.emit('uncaughtException', new AppError('disk/full', { detail: 'words of somebody' }))
  process.emit('unhandledRejection', new TypeError('no such thing'))
  expect(noted).toEqual([
    ['error', 'process', 'uncaught', { error: 'disk/full' }],
    ['error', 'process', 'unhandled', { error: expect.stringContaining('outlive.test.ts') as string }],
  ])
})

test('a terminal that takes no more lines is no reason to end', () => {
  const process = new FakeProcess()
  outlive(process, () => undefined)
  for (const stream of [process.stdout, process.stderr])
    expect(() => stream.emit('error', Object.assign(new Error('full'), { code: 'ENOSPC' }))).not.toThrow()
})
