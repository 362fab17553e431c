import { dirname } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { isTest, readSource, resolveImport, sourceFiles } from './modules.ts'

/**
 * Components of the kit have a test beside them, and functions of the window's library have one anywhere: each exported
 * function or class is imported by such a test.
 */
const ROOMS = ['renderer/ui/', 'renderer/lib/'] as const

/** Names of the functions and classes that a module exports. Functions in `const`s count; other values do not. */
function functionsOf(path: string, source: string): string[] {
  const { program } = parseSync(path, source)
  return program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || node.declaration === null) return []
    const { declaration } = node
    if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration')
      return declaration.id === null ? [] : [declaration.id.name]
    if (declaration.type !== 'VariableDeclaration') return []
    return declaration.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init?.type === 'ArrowFunctionExpression' ? [id.name] : [],
    )
  })
}

/** `path name` of every function of these folders that no test imports. */
function untestedIn(sources: ReadonlyMap<string, string>): string[] {
  const tested = new Set<string>()
  for (const [path, source] of sources) {
    if (!isTest(path)) continue
    for (const { moduleRequest, entries } of parseSync(path, source).module.staticImports) {
      const target = resolveImport(path, moduleRequest.value)
      if (target.startsWith('renderer/ui/') && dirname(target) !== dirname(path)) continue
      for (const { importName } of entries)
        if (importName.name !== undefined) tested.add(`${target} ${importName.name}`)
    }
  }
  return [...sources]
    .filter(([path]) => !isTest(path) && ROOMS.some((room) => path.startsWith(room)))
    .flatMap(([path, source]) => functionsOf(path, source).map((name) => `${path} ${name}`))
    .filter((name) => !tested.has(name))
    .toSorted()
}

test('every component of the kit has a test beside it, and every function of the library has one', () => {
  expect(untestedIn(new Map(sourceFiles().map((path) => [path, readSource(path)])))).toEqual([])
})

test('a planted component and a planted function without a test are reported', () => {
  const sources = new Map([
    ['renderer/ui/Box/Box.tsx', 'export function Box() { return null }\nexport const Lid = () => null'],
    ['renderer/ui/Box/Box.test.tsx', `import { Lid } from './Box.tsx'`],
    ['renderer/features/a.test.tsx', `import { Box } from '../ui/Box/Box.tsx'`],
    ['renderer/lib/a.ts', 'export const LIMIT = 3\nexport class Timer {}\nexport type Kind = string'],
    ['renderer/lib/b.ts', 'export function b() {}'],
    ['renderer/features/b.test.ts', `import { b } from '../lib/b.ts'`],
  ])
  expect(untestedIn(sources)).toEqual(['renderer/lib/a.ts Timer', 'renderer/ui/Box/Box.tsx Box'])
})
