import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isTest, readModule, readSource, root, sourceFiles } from './modules.ts'

type Locked = {
  name?: string
  version?: string
  license?: string
  integrity?: string
  hasInstallScript?: boolean
  optionalDependencies?: Record<string, string>
  resolved?: string
  link?: boolean
}
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
const packages = Object.entries(lock.packages).filter(([path]) => path !== '')
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Licenses that let Parlor ship under Apache-2.0; the weak-copyleft ones only build and test. */
const ALLOWED =
  /^\(?(MIT|ISC|Apache-2\.0|BSD|BSD-2-Clause|BSD-3-Clause|0BSD|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|Python-2\.0|PSF-2\.0|Unlicense|WTFPL|MIT-0|Zlib|MPL-2\.0|WTFPL OR ISC|.*\bOR (MIT|Apache-2\.0|CC0-1\.0)\b.*|(MIT|BSD-2-Clause) OR .*|MIT AND .*)\)?$/

/** What Parlor is built on, listed so that a reader of package.json sees it. */
const FOUNDATIONS = [
  'electron',
  'electron-vite',
  'electron-store',
  'better-sqlite3',
  'react',
  'react-dom',
  'redux',
  '@reduxjs/toolkit',
  'i18next',
  'vitest',
  'playwright',
]

test('each package that Parlor is built on is named with its exact version, and imported', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >
  const named = { ...dependencies, ...devDependencies }
  expect(FOUNDATIONS.filter((name) => !/^\d+\.\d+\.\d+$/.test(named[name] ?? ''))).toEqual([])
  const imported = new Set(sourceFiles().flatMap((path) => readModule(path).imports))
  expect(FOUNDATIONS.filter((name) => ![...imported].some((each) => `${each}/`.startsWith(`${name}/`)))).toEqual([])
})

test("the lock names no package of the contract's vendor", () => {
  expect(packages.filter(([path]) => /stream-chat|@stream-io\//.test(path))).toEqual([])
})

test('every locked package has an integrity hash', () => {
  expect(packages.filter(([, entry]) => !entry.link && entry.integrity === undefined).map(([path]) => path)).toEqual([])
})

test('every locked package has a permissive license', () => {
  const wrong = packages.filter(([, { license }]) => license !== undefined && !ALLOWED.test(license))
  expect(wrong.map(([path, { license }]) => `${nameOf(path)}: ${license}`)).toEqual([])
  expect(packages.filter(([, { license }]) => license !== undefined).length).toBeGreaterThan(300)
})

test('no package runs a script at install but the reviewed ones', () => {
  const scripted = packages.filter(([, entry]) => entry.hasInstallScript).map(([path]) => nameOf(path))
  expect(scripted.filter((name) => name !== 'electron-winstaller' && name !== 'fsevents')).toEqual([])
})

test('every optional platform package is in the lock, so that npm ci works on every system', () => {
  const names = new Set(packages.map(([path]) => nameOf(path)))
  const missing = packages.flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !names.has(name))
      .map((name) => `${nameOf(path)} wants ${name}`),
  )
  expect(missing).toEqual([])
})

test('the lock names no registry address', () => {
  expect(packages.filter(([, entry]) => entry.resolved !== undefined && !entry.link).map(([path]) => path)).toEqual([])
})

test('main takes from node:http nothing but types, because its wrapper for modules loads all of fetch', () => {
  const loading = sourceFiles()
    .filter((path) => path.startsWith('main/') && !isTest(path))
    .filter((path) => /^import (?!type )[^\n]*from 'node:http'/m.test(readSource(path)))
  expect(loading).toEqual([])
})

test('Node runs the benchmark as it is: nothing that it loads has JSX in it', { timeout: 60_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tests/bench/main.ts', '--help'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stderr).not.toContain('ERR_')
  expect(stdout).toContain('npm run bench -- [GROUP...] [flags]')
  expect(status).toBe(0)
})
