import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isTest, readSource, root, sourceFiles } from './modules.ts'
import { readTextUse } from './texts.ts'

const folder = join(root, 'resources/locales/en')
const uses = sourceFiles()
  .filter((path) => /^(main|preload|renderer|shared)\//.test(path) && !isTest(path))
  .map((path) => ({ path, ...readTextUse(path, readSource(path)) }))

/** Keys without the plural endings that i18next adds. */
function keysOf(tree: unknown, prefix = ''): string[] {
  if (typeof tree !== 'object' || tree === null) return [prefix.replace(/_(zero|one|two|few|many|other)$/, '')]
  return Object.entries(tree).flatMap(([key, value]) => keysOf(value, prefix === '' ? key : `${prefix}.${key}`))
}

const keys = readdirSync(folder).flatMap((name) =>
  [...new Set(keysOf(JSON.parse(readFileSync(join(folder, name), 'utf8'))))].map((key) => ({ area: name, key })),
)

test('every text is used', () => {
  const literals = new Set(uses.flatMap((use) => [...use.literals]))
  const patterns = uses.flatMap((use) => use.patterns)
  const unused = keys.filter(({ key }) => !literals.has(key) && !patterns.some((pattern) => pattern.test(key)))
  expect(keys.length).toBeGreaterThan(800)
  expect(unused.map(({ area, key }) => `${area} ${key}`)).toEqual([])
})

test('no sentence is concatenated from texts', () => {
  expect(uses.flatMap(({ path, glued }) => glued.map((source) => `${path}: ${source}`))).toEqual([])
})

test('the check detects a concatenated sentence', () => {
  const glued = (expression: string): number =>
    readTextUse('a.ts', `const t = useTexts('common'); const words = ${expression}`).glued.length
  expect(glued("t('copied') + name")).toBe(1)
  expect(glued("`${t('copied')} by hand`")).toBe(1)
  expect(glued("`${t('copied')} ${t('back')}`")).toBe(1)
  expect(glued("`${t('copied')}. ${t('back')}`")).toBe(0)
  expect(glued('`menu.${name}`')).toBe(0)
})
