import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { isTest, readSource, resolveImport, sourceFiles } from './modules.ts'

/** Loaded by a tool or by Node itself, by path: nothing needs to import them. */
const OPENED =
  /^(main\/entry\/|preload\/|renderer\/(main|safe\/main)\.tsx?$|renderer\/i18n\/languages\/|electron\.vite\.config\.ts$|\.ci\/)/

/** What these loaders take from a file that they open. */
const TAKEN: readonly RegExp[] = [
  /^electron\.vite\.config\.ts default$/,
  /^\.ci\/packaging\/hooks\.ts (afterPack|sign)$/,
  /^renderer\/i18n\/languages\/\w+\.ts texts$/,
  /^main\/entry\/browser\.ts runBrowserHost$/,
]

type Names = {
  readonly own: Set<string>
  /** The names imported from each other module. */
  readonly used: Map<string, Set<string>>
  /** The modules imported as a whole: as a name space, on demand, or for their effect. */
  readonly whole: Set<string>
}

function namesOf(path: string, source: string): Names {
  const { module } = parseSync(path, source)
  const own = new Set<string>()
  const used = new Map<string, Set<string>>()
  const whole = new Set<string>()
  const take = (from: string, name: string | null | undefined, all: boolean): void => {
    const target = resolveImport(path, from)
    if (all || name === null || name === undefined) whole.add(target)
    else used.set(target, (used.get(target) ?? new Set()).add(name))
  }
  for (const { moduleRequest, entries } of module.staticImports) {
    if (entries.length === 0) whole.add(resolveImport(path, moduleRequest.value))
    for (const { importName } of entries) {
      take(
        moduleRequest.value,
        importName.kind === 'Default' ? 'default' : importName.name,
        importName.kind === 'NamespaceObject',
      )
    }
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName, exportName } of entries) {
      if (exportName.kind === 'Default') own.add('default')
      else if (exportName.name) own.add(exportName.name)
      if (moduleRequest) take(moduleRequest.value, importName.name, importName.kind !== 'Name')
    }
  }
  // A module whose interfaces another one extends is used by those declarations.
  for (const [, from = ''] of source.matchAll(/^declare module '(\.[^']+)'/gm)) whole.add(resolveImport(path, from))
  for (const { moduleRequest } of module.dynamicImports) {
    const text = source.slice(moduleRequest.start, moduleRequest.end)
    if (/^(['"]).*\1$/.test(text)) take(text.slice(1, -1), undefined, true)
  }
  return { own, used, whole }
}

/**
 * `path name` of every export of product code that no other module names, and `path` of every module that none imports.
 * A module imported as a whole is used by the names that occur in the importing source.
 */
function unusedIn(sources: ReadonlyMap<string, string>): string[] {
  const names = [...sources].map(([path, source]) => ({ path, source, ...namesOf(path, source) }))
  const used = new Set<string>()
  const imported = new Set<string>()
  const words = new Map<string, Set<string>>()
  for (const one of names) {
    for (const [target, taken] of one.used) {
      imported.add(target)
      for (const name of taken) used.add(`${target} ${name}`)
    }
    const ofSource = one.whole.size === 0 ? [] : (one.source.match(/[\w$]+/g) ?? [])
    for (const target of one.whole) {
      imported.add(target)
      words.set(target, new Set([...(words.get(target) ?? []), ...ofSource]))
    }
  }
  const isTaken = (path: string, name: string): boolean =>
    used.has(`${path} ${name}`) ||
    words.get(path)?.has(name) === true ||
    TAKEN.some((taken) => taken.test(`${path} ${name}`))
  return names
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, own }) =>
      imported.has(path) || OPENED.test(path)
        ? [...own].filter((name) => !isTaken(path, name)).map((name) => `${path} ${name}`)
        : [path],
    )
    .toSorted()
}

test('nothing is exported that no other file imports, and every file is imported', () => {
  expect(unusedIn(new Map(sourceFiles().map((path) => [path, readSource(path)])))).toEqual([])
})

test('a planted export without an importer is reported, and so is a planted file', () => {
  const sources = new Map([
    ['shared/lib/a.ts', 'export const taken = 1\nexport const left = 2\nexport type Left = string'],
    ['shared/lib/b.ts', `import { taken } from './a.ts'\nexport const b = taken`],
    ['shared/lib/c.ts', `export { b } from './b.ts'`],
    ['main/cache/pages.ts', 'export const page = 1\nexport const key = page'],
    ['main/entry/server.ts', `import * as pages from '../cache/pages.ts'\nexport const said = pages.page`],
  ])
  expect(unusedIn(sources)).toEqual([
    'main/cache/pages.ts key',
    'main/entry/server.ts said',
    'shared/lib/a.ts Left',
    'shared/lib/a.ts left',
    'shared/lib/c.ts',
  ])
})
