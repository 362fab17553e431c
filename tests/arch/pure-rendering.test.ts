import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { isTest, readSource, sourceFiles } from './modules.ts'

/**
 * A render can be repeated or discarded, so it writes to no ref: refs are written in effects, in handlers, and in
 * callbacks of elements. What a component or hook runs while it renders is its body, what it passes to `useMemo` and
 * the like, what it calls for each part of a list, and its own functions that it calls there.
 */
const ALLOWED: readonly string[] = []

type Node = { readonly type: string; readonly [key: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const nameOf = (node: unknown): string => (isNode(node) && typeof node['name'] === 'string' ? node['name'] : '')
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const isFunction = (value: unknown): value is Node => isNode(value) && FUNCTIONS.has(value.type)

/** Functions that call their argument at once. */
const AT_ONCE = new Set(
  (
    'useMemo useState useReducer useSyncExternalStore useAppSelector ' +
    'map flatMap filter find findIndex findLast findLastIndex some every forEach reduce reduceRight sort toSorted from'
  ).split(' '),
)

/** Parts of a node in the order of the source. */
const partsOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([key, child]) => (key === 'parent' ? [] : [child].flat().filter(isNode)))

/** The function of a component or hook: `function Row() {}`, `const useRow = () => {}`, `const Row = memo(() => {})`. */
function* rendersIn(node: Node): Generator<readonly [string, Node]> {
  const isRender = (name: string): boolean => /^(?:[A-Z]|use[A-Z])/.test(name)
  if (node.type === 'FunctionDeclaration' && isRender(nameOf(node['id']))) yield [nameOf(node['id']), node]
  if (node.type === 'VariableDeclarator' && isRender(nameOf(node['id'])) && isNode(node['init'])) {
    const { init } = node
    const given = init.type === 'CallExpression' ? (init['arguments'] as readonly unknown[])[0] : init
    if (isFunction(given)) yield [nameOf(node['id']), given]
  }
  for (const part of partsOf(node)) yield* rendersIn(part)
}

/** Functions by the name that they have inside another one, not deeper. */
function localsOf(render: Node): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>()
  const visit = (node: Node): void => {
    if (node.type === 'FunctionDeclaration') found.set(nameOf(node['id']), node)
    if (node.type === 'VariableDeclarator' && isFunction(node['init'])) found.set(nameOf(node['id']), node['init'])
    if (!isFunction(node)) for (const part of partsOf(node)) visit(part)
  }
  for (const part of partsOf(render)) visit(part)
  return found
}

const isCurrent = (node: unknown): boolean =>
  isNode(node) &&
  node.type === 'MemberExpression' &&
  (node['computed'] === true
    ? isNode(node['property']) && node['property']['value'] === 'current'
    : nameOf(node['property']) === 'current')

/** Whether an expression writes `.current`, or a part of it. */
function isWrite(node: Node): boolean {
  const target = node.type === 'AssignmentExpression' ? node['left'] : node['argument']
  const isDelete = node.type === 'UnaryExpression' && node['operator'] === 'delete'
  if (node.type !== 'AssignmentExpression' && node.type !== 'UpdateExpression' && !isDelete) return false
  let at = target
  while (isNode(at) && at.type === 'MemberExpression' && !isCurrent(at)) at = at['object']
  return isCurrent(at)
}

const bare = (node: unknown): Node =>
  isNode(node) && node.type === 'ParenthesizedExpression' ? bare(node['expression']) : (node as Node)

/** Names of the components and hooks of a file that write to a ref while they render. */
export function writesWhileRendering(path: string, source: string): readonly string[] {
  const { program } = parseSync(path, source)
  return [...rendersIn(program as unknown as Node)].flatMap(([name, render]) => {
    const locals = localsOf(render)
    const seen = new Set<Node>()
    const writes = (node: Node): boolean => {
      if (isWrite(node)) return true
      if (node.type === 'CallExpression') {
        const callee = bare(node['callee'])
        const called = nameOf(callee.type === 'MemberExpression' ? callee['property'] : callee)
        const given = AT_ONCE.has(called) ? (node['arguments'] as readonly unknown[]).filter(isFunction) : []
        const own = callee.type === 'Identifier' ? locals.get(called) : isFunction(callee) ? callee : undefined
        if ([...given, ...(own === undefined ? [] : [own])].some(runs)) return true
      }
      return partsOf(node).some((part) => !isFunction(part) && writes(part))
    }
    const runs = (each: Node): boolean => {
      if (seen.has(each)) return false
      seen.add(each)
      return partsOf(each).some((part) => !isFunction(part) && writes(part))
    }
    return runs(render) ? [name] : []
  })
}

test('no component or hook writes to a ref while it renders', () => {
  const found = sourceFiles()
    .filter((path) => path.startsWith('renderer/') && !isTest(path))
    .flatMap((path) => writesWhileRendering(path, readSource(path)).map((name) => `${path} ${name}`))
  expect(found.toSorted()).toEqual(ALLOWED)
})

test('every form of writing is found, and those of effects and handlers are not', () => {
  const source = `
    function Body() { const ref = useRef(0); ref.current = 1; return null }
    const useLast = (value) => { const ref = useRef(value); if (ref.current === undefined) { ref.current ??= value } }
    const Row = memo(({ value }) => { const ref = useRef(0); return <b>{ref.current++}</b> })
    function useDerived(list) { const ref = useRef(); return useMemo(() => (ref.current = list), [list]) }
    function Each({ list }) { const ref = useRef({}); return list.map((one) => { ref.current[one] = true; return one }) }
    function useOwn() { const ref = useRef(0); const set = () => { ref.current += 1 }; set(); return ref }
    function useOwnDeclared() { step(); function step() { delete ref.current.last } }
    function useAtOnce() { (() => { ref['current'] = 1 })() }
    const useBegun = () => useState(() => { ref.current = 1; return 2 })`
  const names = ['Body', 'useLast', 'Row', 'useDerived', 'Each', 'useOwn', 'useOwnDeclared', 'useAtOnce', 'useBegun']
  expect(writesWhileRendering('a.tsx', source)).toEqual(names)
  const clean = `
    function Body() {
      const ref = useRef(0)
      useEffect(() => { ref.current = 1; return () => { ref.current = 0 } })
      useLayoutEffect(() => { const set = () => { ref.current = 2 }; set() })
      const press = useCallback(() => { ref.current += 1 }, [])
      const read = ref.current
      return <b onClick={() => { ref.current = 3; press() }} ref={(element) => { ref.current = element }}>{read}</b>
    }
    function plain(ref) { ref.current = 1 }
    const useCurrent = () => { const current = { value: 1 }; current.value = 2; return current }`
  expect(writesWhileRendering('a.tsx', clean)).toEqual([])
})
