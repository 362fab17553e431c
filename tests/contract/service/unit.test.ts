import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readArguments } from '#main/server/command-line/arguments.ts'
import { newFolder } from './service.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const UNIT = readFileSync(join(ROOT, 'resources/server/parlor-server.service'), 'utf8')

test('the flags in the unit of systemd are ones that the server knows', () => {
  const [, command = ''] = /^ExecStart=(.*) \$PARLOR_OPTIONS$/m.exec(UNIT) ?? []
  const [, words = ''] = command.split('/opt/parlor/main/entry/server.ts ')

  expect(readArguments(words.split(' '))).toMatchObject({
    command: 'serve',
    dataFolder: '/var/lib/parlor',
    port: 7_080,
    logLevel: 'info',
    backups: { folder: '/var/backups/parlor' },
  })
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!hasSystemd)('systemd finds nothing wrong with the unit', () => {
  const path = join(newFolder(), 'parlor-server.service')
  // It also looks whether the program is there.
  writeFileSync(path, UNIT.replace('/usr/bin/node', process.execPath))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
  const ours = stderr.split('\n').filter((line) => line.includes('parlor-server'))

  expect({ status, ours }).toEqual({ status: 0, ours: [] })
})
