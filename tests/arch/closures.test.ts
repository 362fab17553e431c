import { expect, test } from 'vitest'
import { parseSync } from 'vite'
import { isTest, readSource, sourceFiles } from './modules.ts'

/** Lines of a function, nested functions included. */
const MOST_LINES = 80

type Long = { readonly name: string; readonly lines: number }

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Every function of a file with its lines; a function without a name has the name of what it is assigned to. */
function functionsOf(path: string, source: string): Long[] {
  const found: Long[] = []
  const linesOf = ({ start, end }: Node): number => source.slice(start, end).split('\n').length
  const nameOf = ({ id, key }: Node): string | undefined => {
    const named = [id, key].find(isNode)
    return typeof named?.['name'] === 'string' ? named['name'] : undefined
  }
  const visit = (value: unknown, within: string): void => {
    if (Array.isArray(value)) return value.forEach((each) => visit(each, within))
    if (!isNode(value)) return
    const name = nameOf(value) ?? within
    const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(value.type)
    if (isFunction) found.push({ name: `${path} ${name}`, lines: linesOf(value) })
    for (const part of Object.values(value)) visit(part, name)
  }
  visit(parseSync(path, source).program, 'module')
  return found
}

const all = sourceFiles()
  .filter((path) => /^(shared|main|preload|renderer)\//.test(path) && !isTest(path))
  .flatMap((path) => functionsOf(path, readSource(path)))

test('no function is longer than 80 lines, nested functions included', () => {
  expect(all.length).toBeGreaterThan(5_000)
  expect(all.filter(({ lines }) => lines > MOST_LINES)).toEqual([])
})

test('lines of nested functions count, and a method or an arrow function has a name', () => {
  const body = '\n'.repeat(80)
  const planted = `function outer() { return () => {${body}} }\nclass A { method() {${body}} }\nconst arrow = () => {${body}}`
  const long = functionsOf('planted.ts', planted).filter(({ lines }) => lines > MOST_LINES)
  expect(long.map(({ name }) => name)).toEqual([
    'planted.ts outer',
    'planted.ts outer',
    'planted.ts method',
    'planted.ts arrow',
  ])
})
