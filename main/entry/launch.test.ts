import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runElectron, pickHost, type LaunchFacts } from './launch.ts'
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

const facts = (changes: Partial<LaunchFacts>): LaunchFacts => ({
  wanted: undefined,
  noScreen: false,
  isRoot: false,
  installed: () => undefined,
  download: () => Promise.resolve({ problem: 'the server of the download does not respond' }),
  ...changes,
})
const there = (): string => '/e'

test.each([
  ['installed', { installed: there }, 'electron', 'Parlor runs in Electron: it is installed.'],
  [
    'downloadable',
    { download: () => Promise.resolve({ path: '/e' }) },
    'electron',
    'Parlor runs in Electron: it has just been downloaded.',
  ],
  [
    'not to be downloaded',
    {},
    'browser',
    'Parlor runs in the browser host: Electron could not be downloaded (the server of the download does not respond). For a window of its own, start it again with a network, or set ELECTRON_MIRROR to a mirror of Electron’s releases.',
  ],
  [
    'no screen',
    { noScreen: true, installed: there },
    'browser',
    'Parlor runs in the browser host: there is no screen for Electron.',
  ],
  [
    'root',
    { isRoot: true, installed: there },
    'browser',
    'Parlor runs in the browser host: Electron does not run as root; start Parlor as an ordinary user.',
  ],
  [
    'Electron wanted by root',
    { wanted: 'electron', isRoot: true, installed: there },
    'none',
    'Parlor cannot run in Electron: Electron does not run as root; start Parlor as an ordinary user.',
  ],
  ['browser wanted', { wanted: 'browser', installed: there }, 'browser', 'Parlor runs in the browser host, as asked.'],
  [
    'Electron wanted without a screen',
    { wanted: 'electron', noScreen: true, installed: there },
    'electron',
    'Parlor runs in Electron: it is installed.',
  ],
  [
    'Electron wanted and not to be had',
    { wanted: 'electron' },
    'none',
    'Parlor cannot run in Electron: Electron could not be downloaded (the server of the download does not respond). For a window of its own, start it again with a network, or set ELECTRON_MIRROR to a mirror of Electron’s releases.',
  ],
] as const)('%s', async (_name, changes, host, why) => {
  expect(await pickHost(facts(changes))).toMatchObject({ host, why })
})
