import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startAfter } from './app-image.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'parlor-again-'))))
afterEach(() => rmSync(folder, { recursive: true }))

/** Writes into a file whether a process runs, in one step. */
const REPORT = `
const { renameSync, writeFileSync } = require('node:fs')
const [pid, path] = process.argv.slice(1)
let is = 'running'
try { process.kill(Number(pid), 0) } catch { is = 'ended' }
writeFileSync(path + '.new', is)
renameSync(path + '.new', path)`

test('a program starts when the process before it has ended', async () => {
  const before = spawn(process.execPath, ['-e', 'process.stdin.resume()'])
  const pid = before.pid ?? 0
  const report = join(folder, 'it’s a report')
  startAfter(pid, process.execPath, ['-e', REPORT, String(pid), report])
  before.stdin.end()
  await once(before, 'exit')
  await vi.waitFor(() => expect(existsSync(report)).toBe(true), { timeout: 10_000 })
  expect(readFileSync(report, 'utf8')).toBe('ended')
})
