import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '#kit/stores.ts'
import { LOG_FILE, profileLog } from './profile.ts'

test('lines survive restarts, readable by this user only', () => {
  const folder = aFolder()
  profileLog(folder)('one\n')
  profileLog(folder)('two\n')
  const path = join(folder, LOG_FILE)
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a file that grew too large is renamed, and the previous one remains', () => {
  const folder = aFolder()
  const write = profileLog(folder)
  const line = `${'x'.repeat(499_999)}\n`
  for (let time = 0; time < 3; time++) write(line)
  const path = join(folder, LOG_FILE)
  expect(statSync(path).size).toBe(500_000)
  expect(statSync(`${path}.1`).size).toBe(1_000_000)
})

test('a line that cannot be written is dropped', () => {
  const folder = join(aFolder(), 'file')
  writeFileSync(folder, '')
  const write = profileLog(folder)
  write('lost\n')
  rmSync(folder)
  write('kept\n')
  expect(readFileSync(join(folder, LOG_FILE), 'utf8')).toBe('kept\n')
})
