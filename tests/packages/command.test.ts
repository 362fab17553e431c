import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { joinLists, listsIn, removeEarlier } from '../../.ci/packaging/release-files.ts'
import { root } from './kit/root.ts'

let out: string
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'parlor-command-'))
  writeFileSync(join(out, 'parlor_0.0.9_amd64.deb'), '')
})
afterEach(() => rmSync(out, { recursive: true }))

/** Keys in the environment of the user who runs the tests are not those of a release. */
const KEYS = /^(PARLOR_SIGN|PARLOR_WINDOWS|WIN_CSC|CSC|APPLE)_/

function refused(...args: readonly string[]): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !KEYS.test(name)))
  const command = ['.ci/packaging/package.ts', ...args, '--built', '--out', out]
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: root, env, encoding: 'utf8' })
  expect(status).not.toBe(0)
  // Nothing was started.
  expect(existsSync(join(out, 'parlor_0.0.9_amd64.deb'))).toBe(true)
  return stderr.trim()
}

test.each([
  [['dep'], 'Unknown format "dep". See --help.'],
  [['deb', 'msi'], 'Formats of one system at a time, please.'],
  [['deb', '--arch', 'mips'], '--arch must be x64 or arm64, not "mips". See --help.'],
  [['deb', '--signed'], '--signed needs PARLOR_SIGN_AS.'],
  [['nsis', '--signed'], '--signed needs PARLOR_WINDOWS_SIGNER or WIN_CSC_LINK.'],
  [['dmg', '--signed'], '--signed needs CSC_LINK or CSC_NAME.'],
])('%j is refused in one line, before anything is changed', (args, line) => {
  expect(refused(...args)).toBe(line)
})

test('what an earlier run left is deleted, and nothing else', () => {
  const left = ['parlor-0.0.9.x86_64.rpm', 'parlor-0.0.9.cdx.json', 'Parlor-Setup-0.0.9-x64.exe', 'SHA256SUMS.asc']
  const others = ['notes.txt', 'parlor', 'docker.yml', 'key.asc', 'photos.zip']
  for (const name of [...left, ...others, 'latest-linux.yml']) writeFileSync(join(out, name), '')
  mkdirSync(join(out, 'linux-unpacked/resources'), { recursive: true })
  removeEarlier(out)
  expect(new Set(readdirSync(out))).toEqual(new Set(others))
})

test('the list of versions names the files of every run of the packager', () => {
  const listOf = (...names: readonly string[]): string =>
    `version: 0.1.0\nfiles:\n${names.map((name) => `  - url: ${name}\n    sha512: ${name}\n    size: 5\n`).join('')}path: ${names[0]}\n`
  const path = join(out, 'latest-linux.yml')
  writeFileSync(path, listOf('Parlor-0.1.0.AppImage'))
  writeFileSync(join(out, 'notes.yml'), 'not a list')
  const earlier = listsIn(out)
  expect([...earlier.keys()]).toEqual(['latest-linux.yml'])
  writeFileSync(path, listOf('parlor_0.1.0_amd64.deb', 'parlor-0.1.0.x86_64.rpm'))
  joinLists(path, earlier.get('latest-linux.yml') ?? '')
  const urls = [...readFileSync(path, 'utf8').matchAll(/url: (.*)/g)].map(([, url]) => url)
  expect(urls).toEqual(['Parlor-0.1.0.AppImage', 'parlor_0.1.0_amd64.deb', 'parlor-0.1.0.x86_64.rpm'])
})
