import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { trackedFiles } from './modules.ts'

const SELF = 'tests/arch/references.test.ts'
const files = trackedFiles().filter(
  (path) => /\.(?:tsx?|mjs|css|html|md|json|yml)$/.test(path) && path !== SELF && path !== 'package-lock.json',
)
const linesOf = (path: string): readonly string[] => readFileSync(path, 'utf8').split('\n')

/** Names and numbers of documents that are not in this repository: a reader could not look them up. */
const FOREIGN = [
  /\b(?:reliability|product|performance|architecture|toolchain|design|wire|the) papers?\b/i,
  /\b(?:behaviour|product|reliability|performance|toolchain|words|house)\.md\b(?!\))/,
  /\bruling \d+/i,
  /\bgoal \d+/i,
  /\b(?:wire )?contract,? (?:section |chapter )?\d+\.\d/i,
  /\b(?:R[1-9]|R[1-3]\d|R40|X\d{2}(?!-unix)|LP\d{1,2}|REL-\d+)\b/,
  /\bdesign reference\b/i,
]
/** Documents of the repository that share a name with one of those. */
const OURS = /docs\/(?:performance|architecture)\.md|\((?:performance|architecture)\.md/

test('nothing refers to a document that is not in the repository', () => {
  const found = files.flatMap((path) =>
    linesOf(path).flatMap((line, at) =>
      FOREIGN.some((pattern) => pattern.test(line.replace(OURS, ''))) ? [`${path}:${at + 1} ${line.trim()}`] : [],
    ),
  )
  expect(files.length).toBeGreaterThan(1500)
  expect(found).toEqual([])
})

test('every section of the contract that is referenced exists', () => {
  const wire = readFileSync('docs/wire.md', 'utf8')
  const sections = new Set([...wire.matchAll(/^(?:#{2,3}|\|) (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => number))
  const named = files.flatMap((path) =>
    linesOf(path).flatMap((line) =>
      [...line.matchAll(/docs\/wire\.md,? (\d+(?:\.\d+)?)/g)].map(([, section = '']) => ({ path, section })),
    ),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ section }) => !sections.has(section))).toEqual([])
})
