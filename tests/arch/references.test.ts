import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { trackedFiles } from './modules.ts'

const SELF = 'tests/arch/references.test.ts'
const files = trackedFiles().filter(
  (path) => /\.(?:tsx?|mjs|css|html|md|json|yml)$/.test(path) && path !== SELF && path !== 'package-lock.json',
)
const linesOf = (path: string): readonly string[] => readFileSync(path, 'utf8').split('\n')

/** Names and numbers of documents that are not in this repository, each with an example: a reader could not look it up. */
const FOREIGN: readonly (readonly [pattern: RegExp, example: string])[] = [
  [/\b(?:reliability|product|performance|architecture|toolchain|design|wire|the) papers?\b/i, 'Source: the paper'],
  [/\b(?:behaviour|product|reliability|performance|toolchain|words|house|DESIGN)\.md\b(?!\))/, 'see DESIGN.md'],
  [/\b(?:product|reliability|toolchain|behaviour|house|words) \d+(?:\.\d+)?\b/, 'as product 4.2 says'],
  [/(?<!docs\/)\bwire \d+\.\d/i, 'wire 7.11'],
  [/\b(?:behaviour|product|seed) spec\b|\bthe (?:spec|specification)\b/i, 'a text of the behaviour spec'],
  [/\b[sS]ource: (?:section|chapter) \d|\bof sections? \d+\b/, 'Source: section 9 "Realtime ping"'],
  [/\brulings? \d+/i, 'ruling 9'],
  [/\bgoal \d+/i, 'goal 16'],
  [/\bissues? #?\d+/i, 'issue 16'],
  [/\bentry [A-Z]\d+/i, 'entry E7'],
  [/\b(?:wire )?contract,? (?:section |chapter )?\d+\.\d/i, 'contract 5.1'],
  [/\b(?:R[1-9]|R[1-3]\d|R40|X\d{2}(?!-unix)|1J|LP\d{1,2}|REL-\d+)\b/, 'R22'],
  [/\bdesign reference\b/i, 'the design reference'],
]
/** Documents of the repository that share a name with one of those, and specifications that anyone can look up. */
const OURS =
  /docs\/(?:performance|architecture)\.md|\((?:performance|architecture)\.md|Media Capture and Streams, section \d+/

const isForeign = (line: string): boolean => FOREIGN.some(([pattern]) => pattern.test(line.replace(OURS, '')))

test('nothing refers to a document that is not in the repository', () => {
  const found = files.flatMap((path) =>
    linesOf(path).flatMap((line, at) => (isForeign(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
  )
  expect(files.length).toBeGreaterThan(1500)
  expect(found).toEqual([])
})

test.each(FOREIGN)('%s finds its example', (pattern, example) => {
  expect(pattern.test(example)).toBe(true)
  expect(isForeign(`// ${example}`)).toBe(true)
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
