import { parseSync, Visitor, type ESTree } from 'vite'
import { expect, test } from 'vitest'
import { isTest, readSource, sourceFiles } from './modules.ts'

/** Assertions whose syntax shows that they prove nothing, or less than they seem to. */
const MATCHERS = new Set(['toBe', 'toEqual', 'toStrictEqual', 'toMatchObject'])

type Asserted = { readonly given: ESTree.Node; readonly wanted: ESTree.Node }

/** `path:line: what is wrong` of every such assertion. */
function faultsOf(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  const text = ({ start, end }: ESTree.Node): string => source.slice(start, end)
  const found: string[] = []
  const conditional: ESTree.Node[] = []
  const report = (node: ESTree.Node, what: string): void => {
    found.push(`${path}:${source.slice(0, node.start).split('\n').length}: ${what}`)
  }
  /** A call may return something else each time, so comparing two of them is an assertion. */
  const isSame = (a: ESTree.Node, b: ESTree.Node): boolean => text(a) === text(b) && !/[(`]/.test(text(a))
  const compare = (call: ESTree.Node, { given, wanted }: Asserted): void => {
    if (isSame(given, wanted)) report(call, 'compares a value with itself')
    else if (given.type === 'ArrayExpression' && wanted.type === 'ArrayExpression') {
      const pairs = given.elements.map((element, at) => [element, wanted.elements[at]] as const)
      const isList = [...given.elements, ...wanted.elements].some((element) => element?.type === 'SpreadElement')
      if (pairs.some(([a, b]) => a && b && a.type !== 'Literal' && isSame(a, b)))
        report(call, 'compares a value with itself, beside another')
      else if (!isList && given.elements.length > 1 && given.elements.length === wanted.elements.length)
        report(call, 'is several expectations in one')
    } else if (given.type === 'ObjectExpression' && wanted.type === 'ObjectExpression') {
      const names = new Set(wanted.properties.map(text))
      if (given.properties.some((property) => property.type === 'Property' && names.has(text(property))))
        report(call, 'compares a value with itself, beside another')
    }
  }
  new Visitor({
    IfStatement({ consequent, alternate }) {
      conditional.push(consequent, ...(alternate ? [alternate] : []))
    },
    ConditionalExpression: ({ consequent, alternate }) => void conditional.push(consequent, alternate),
    LogicalExpression: ({ right }) => void conditional.push(right),
    CatchClause: ({ body }) => void conditional.push(body),
    SwitchCase: ({ consequent }) => void conditional.push(...consequent),
  }).visit(program)
  new Visitor({
    CallExpression(call) {
      if (isExpect(call.callee)) {
        if (call.arguments[0]?.type === 'Literal') report(call, 'expects something of a constant')
        if (conditional.some(({ start, end }) => call.start >= start && call.end <= end))
          report(call, 'may not run: it is in a branch')
      }
      const asserted = assertedBy(call)
      if (asserted) compare(call, asserted)
    },
  }).visit(program)
  return found
}

/** `expect`, `expect.soft`, `expect.poll`, but not `expect.any` and other matchers. */
function isExpect(callee: ESTree.Node): boolean {
  if (callee.type === 'Identifier') return callee.name === 'expect'
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false
  return (
    callee.object.type === 'Identifier' &&
    callee.object.name === 'expect' &&
    ['soft', 'poll'].includes(callee.property.name)
  )
}

/** What `expect(given).….toEqual(wanted)` compares. */
function assertedBy({ callee, arguments: wanted }: ESTree.CallExpression): Asserted | undefined {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined
  if (!MATCHERS.has(callee.property.name)) return undefined
  let object: ESTree.Node = callee.object
  while (object.type === 'MemberExpression') object = object.object
  if (object.type !== 'CallExpression' || !isExpect(object.callee)) return undefined
  const [one, other] = [object.arguments[0], wanted[0]]
  return one && other ? { given: bare(one), wanted: bare(other) } : undefined
}

const bare = (node: ESTree.Node): ESTree.Node =>
  node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' ? bare(node.expression) : node

test('no assertion proves nothing', () => {
  const tests = sourceFiles().filter(isTest)
  expect(tests.length).toBeGreaterThan(400)
  expect(tests.flatMap((path) => faultsOf(path, readSource(path)))).toEqual([])
})

test.each([
  ['expect(a).toBe(a)', 'compares a value with itself'],
  ['expect([name, b]).toEqual([name, 2])', 'compares a value with itself, beside another'],
  ['expect({ name, b }).toEqual({ name, b: 2 })', 'compares a value with itself, beside another'],
  ['expect([a, b]).toEqual([1, 2])', 'is several expectations in one'],
  ['await expect([a(), b()] as const).resolves.toEqual([1, 2])', 'is several expectations in one'],
  ['expect(true).toBe(true)', 'expects something of a constant'],
  ['if (a) expect(a).toBe(1)', 'may not run: it is in a branch'],
  ['try { a() } catch (error) { expect.soft(error).toBe(1) }', 'may not run: it is in a branch'],
  ['a && expect(a).toBe(1)', 'may not run: it is in a branch'],
])('%s is reported', (source, what) => {
  expect(faultsOf('planted.test.ts', source)).toContain(`planted.test.ts:1: ${what}`)
})

test.each([
  'expect(a(1)).toBe(a(1))',
  'expect([...a, b]).toEqual([1, 2])',
  'expect([a]).toEqual([1])',
  'expect({ a, b }).toEqual({ a: 1, b: 2 })',
  'expect(a).toEqual(expect.arrayContaining([1, 2]))',
])('%s is allowed', (source) => {
  expect(faultsOf('planted.test.ts', source)).toEqual([])
})
