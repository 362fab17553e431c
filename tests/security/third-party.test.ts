import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { build } from '../../.ci/build.ts'

/** The licenses shipped with Parlor cover everything in it, by the source maps of the bundles. */
const root = fileURLToPath(new URL('../..', import.meta.url))
const out = join(root, 'out')
let notices = ''

beforeAll(() => {
  build()
  notices = readFileSync(join(out, 'third-party-notices.txt'), 'utf8')
}, 300_000)

const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version

test('every package in a source map of a bundle is named with its version', () => {
  const maps = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.map'))
  const names = new Set(
    maps.flatMap((path) =>
      (JSON.parse(readFileSync(join(out, path), 'utf8')) as { sources: string[] }).sources.flatMap(
        (source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [],
      ),
    ),
  )
  expect(names.size).toBeGreaterThan(30)
  expect([...names].filter((name) => !notices.includes(`\n${name} ${versionOf(name)}\n`))).toEqual([])
})

test('so is what is installed beside the bundles, and nothing that only builds or tests Parlor', () => {
  for (const name of ['better-sqlite3', 'proxy-agent']) expect(notices).toContain(`\n${name} ${versionOf(name)}\n`)
  for (const name of ['vitest', 'typescript', 'electron-builder', '@playwright/test'])
    expect(notices).not.toContain(`\n${name} `)
})

test('each has the text of its license, or at least its name', () => {
  const parts = notices.split(/\n\n-{80}\n\n/).slice(1)
  const short = parts.filter((part) => part.length < 300).map((part) => part.split('\n').slice(0, 2).join(': '))
  expect(
    short.filter((line) => !/: [A-Z0-9.()\- ]*(MIT|ISC|BSD|Apache|BlueOak|0BSD|Unlicense|Python)/.test(line)),
  ).toEqual([])
})
