import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { isTest, readSource, resolveImport, sourceFiles } from './modules.ts'

/** Loaded by a tool or by Node itself, by path: nothing imports them. */
const OPENED =
  /^(main\/entry\/|preload\/|renderer\/(main|safe\/main)\.tsx?$|renderer\/i18n\/languages\/|electron\.vite\.config\.ts$|\.ci\/)/

type Names = { readonly own: Set<string>; readonly used: Map<string, Set<string>>; readonly whole: Set<string> }

/** The exports of a module, and the names it imports from other modules. `whole`: modules imported as a name space. */
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
 * `path name` of every export of product code that no other module imports, and `path` of every module that none
 * imports.
 */
function unusedIn(sources: ReadonlyMap<string, string>): string[] {
  const names = [...sources].map(([path, source]) => ({ path, ...namesOf(path, source) }))
  const whole = new Set(names.flatMap((one) => [...one.whole]))
  const used = new Set(
    names.flatMap((one) => [...one.used].flatMap(([target, taken]) => [...taken].map((name) => `${target} ${name}`))),
  )
  const imported = new Set([...whole, ...names.flatMap((one) => [...one.used.keys()])])
  return names
    .filter(({ path }) => !isTest(path) && !OPENED.test(path))
    .flatMap(({ path, own }) => {
      if (!imported.has(path)) return [path]
      return whole.has(path)
        ? []
        : [...own].filter((name) => !used.has(`${path} ${name}`)).map((name) => `${path} ${name}`)
    })
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
  ])
  expect(unusedIn(sources)).toEqual(['shared/lib/a.ts Left', 'shared/lib/a.ts left', 'shared/lib/c.ts'])
})
