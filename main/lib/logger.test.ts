import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { logFile } from './logger.ts'

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
