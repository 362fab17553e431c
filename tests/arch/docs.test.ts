import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './modules.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const documentsOf = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))

const decisions = readdirSync(join(root, 'docs/adr'))
  .filter((name) => name !== 'README.md')
  .toSorted()
  .map((name) => ({ name, head: read(`docs/adr/${name}`).split('\n', 1)[0] ?? '' }))

test('decisions are numbered without gaps, and each has its number in its title', () => {
  const numbers = decisions.map(({ name }) => Number(name.slice(0, 4)))
  expect(numbers).toEqual(decisions.map((_, at) => at + 1))
  expect(decisions.map(({ head }) => Number(/^# (\d+)\. /.exec(head)?.[1]))).toEqual(numbers)
})

test('the list of decisions contains each of them, by its title', () => {
  const listed = read('docs/adr/README.md')
    .split('\n')
    .filter((line) => /^\d+\. /.test(line))
  const titles = decisions.map(({ name, head }) => head.replace(/^# (\d+)\. (.*)$/, `$1. [$2](${name})`))
  expect(listed).toEqual(titles)
})

test('every link between the documents leads somewhere', () => {
  const documents = ['README.md', 'SECURITY.md', ...documentsOf('docs'), ...documentsOf('docs/adr')]
  const links = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => ({
      document: document,
      to,
    })),
  )
  expect(links.length).toBeGreaterThan(40)
  expect(links.filter(({ document, to }) => !existsSync(join(root, dirname(document), to)))).toEqual([])
})

test('every file that a document names exists', () => {
  const documents = ['README.md', 'SECURITY.md', ...documentsOf('docs')]
  const named = documents.flatMap((from) =>
    [
      ...read(from).matchAll(
        /`((?:main|preload|renderer|shared|tests|docs|resources)\/[\w./-]+\.(?:tsx?|md|json|css))`/g,
      ),
    ].map(([, path = '']) => ({ from, path })),
  )
  expect(named.length).toBeGreaterThan(80)
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})
