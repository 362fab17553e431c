import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { EventEmitter } from 'node:events'
import { AppError } from '#shared/lib/app-error.ts'
import { logFile, handleUncaughtErrors } from './logger.ts'

const folder = mkdtempSync(join(tmpdir(), 'parlor-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a new file begins when a line does not fit, as many older ones stay as asked, and a restart continues', () => {
  const path = join(folder, 'logs', 'server.log')
  const begin = () => logFile(path, { mostBytes: 10, older: 2 })
  const write = begin()
  for (const line of ['one\n', 'two\n', 'three\n']) write(line)
  const again = begin()
  for (const line of ['4\n', 'five\n', 'a line that is longer than a file\n', 'six\n']) again(line)

  expect(readdirSync(join(folder, 'logs')).toSorted()).toEqual(['server.log', 'server.log.1', 'server.log.2'])
  expect(readFileSync(path, 'utf8')).toBe('six\n')
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('a line that is longer than a file\n')
  expect(readFileSync(`${path}.2`, 'utf8')).toBe('five\n')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

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
    ['error', 'process', 'unhandled', { error: expect.stringContaining('logger.test.ts') as string }],
  ])
})

test('a terminal that accepts no more output does not end the process', () => {
  const process = new FakeProcess()
  handleUncaughtErrors(process, () => undefined)
  for (const stream of [process.stdout, process.stderr])
    expect(() => stream.emit('error', Object.assign(new Error('full'), { code: 'ENOSPC' }))).not.toThrow()
})
