import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runElectron } from './run-electron.ts'
import { readStartOptions } from './start-options.ts'

test.skipIf(process.platform === 'win32').each([
  ['exit 0', { code: 0, early: false }],
  ['exit 7', { code: 7, early: true }],
  // Chromium ends this way when it refuses to start.
  ['kill -TRAP $$', { code: 133, early: true }],
  ['kill -TERM $$', { code: 0, early: false }],
])('a program that does `%s` ends with its code, and a crash is a failure', async (line, outcome) => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-program-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'electron')
  writeFileSync(program, `#!/bin/sh\n${line}\n`)
  chmodSync(program, 0o755)
  expect(await runElectron(program, folder, folder, readStartOptions([], {}))).toEqual(outcome)
})
