import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { root, sourceFiles, isTest } from '../arch/modules.ts'

/**
 * The SQL in the source of a layer, so that tests can check every statement of it, new ones too. Texts are followed
 * through constants, concatenations, templates and functions that return one; a part that is only known at run time
 * becomes {@link UNKNOWN}.
 */
export type SourceStatement = {
  /** Its file below the folder, and the constant or function it is in. */
  readonly name: string
  readonly sql: string
}

/** A call that runs a statement which writes. */
export type SourceWrite = SourceStatement & {
  /** The tables of `changing(…)`; all of them, where one of two receivers is chosen. */
  readonly changing: readonly string[]
  /** Through `keepingCaches`. */
  readonly keeps: boolean
}

export const UNKNOWN = '¿'

type Node = Readonly<Record<string, unknown>> & { readonly type: string }
type Scope = { readonly names: Map<string, Node>; readonly values: ReadonlyMap<string, readonly string[]> }
type File = { readonly path: string; readonly program: Node; readonly names: Map<string, Node> }

const STATEMENT = /^\s*(?:SELECT|INSERT|REPLACE|UPDATE|DELETE|WITH)\s+\S/
const WRITE = /^\s*(?:INSERT|REPLACE|UPDATE|DELETE)\b/

/** @param room the beginning of the paths of its files, such as `main/server/` */
export function readSqlSource(room: string) {
  const files = sourceFiles()
    .filter((path) => path.startsWith(room) && !isTest(path) && !path.includes('/migrations/'))
    .map((path) => parsed(path))
  const shared = new Map<string, Node>(files.flatMap(({ names }) => [...names]))
  return {
    statements: files.flatMap((file) => statementsOf(file, shared, room)),
    writes: files.flatMap((file) => writesOf(file, shared, room)),
    /** The tables from which a cache is computed, by the calls of `cacheOf`. */
    cached: new Set(files.flatMap((file) => cachedIn(file, shared))),
  }
}

function parsed(path: string): File {
  const program = parseSync(path, readFileSync(join(root, path), 'utf8')).program as unknown as Node
  const names = new Map<string, Node>()
  for (const statement of program['body'] as Node[]) {
    const declared = (statement['declaration'] ?? statement) as Node
    if (declared.type === 'VariableDeclaration') note(declared, names)
  }
  return { path, program, names }
}

function note(declaration: Node, names: Map<string, Node>): void {
  for (const { id, init } of declaration['declarations'] as { id: Node; init: Node | null }[])
    if (id.type === 'Identifier' && init) names.set(id['name'] as string, init)
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node).flatMap((part) => (Array.isArray(part) ? part.filter(isNode) : isNode(part) ? [part] : []))

/**
 * Calls `visit` with each node, the constants in scope and the name it is in; does not descend where it returns true.
 */
function walk(
  file: File,
  shared: ReadonlyMap<string, Node>,
  visit: (node: Node, scope: Scope, owner: string) => boolean | void,
): void {
  const outer = new Map([...shared, ...file.names])
  const into = (node: Node, names: Map<string, Node>, owner: string): void => {
    if (visit(node, { names, values: new Map() }, owner) === true) return
    const declared =
      node.type === 'BlockStatement'
        ? (node['body'] as Node[]).filter(({ type }) => type === 'VariableDeclaration')
        : []
    const inner = declared.length > 0 ? new Map(names) : names
    for (const each of declared) note(each, inner)
    for (const child of childrenOf(node)) into(child, inner, ownerOf(child, owner))
  }
  into(file.program, outer, '')
}

function ownerOf(node: Node, owner: string): string {
  if (
    owner !== '' ||
    !['FunctionDeclaration', 'VariableDeclarator', 'MethodDefinition', 'ClassDeclaration'].includes(node.type)
  )
    return owner
  const id = (node['id'] ?? node['key']) as Node | undefined
  return typeof id?.['name'] === 'string' ? id['name'] : owner
}

function statementsOf(file: File, shared: ReadonlyMap<string, Node>, room: string): SourceStatement[] {
  const found: SourceStatement[] = []
  walk(file, shared, (node, scope, owner) => {
    if (!isText(node)) return
    const name = `${file.path.slice(room.length)} ${owner}`
    for (const text of textsOf(node, scope))
      if (STATEMENT.test(text)) found.push({ name, sql: text.replaceAll(/\s+/g, ' ').trim() })
    return node.type !== 'CallExpression'
  })
  return found
}

const isText = (node: Node): boolean =>
  (node.type === 'Literal' && typeof node['value'] === 'string') ||
  node.type === 'TemplateLiteral' ||
  (node.type === 'BinaryExpression' && node['operator'] === '+')

const RUNS = new Set(['run', 'all', 'get', 'prepare'])

function writesOf(file: File, shared: ReadonlyMap<string, Node>, room: string): SourceWrite[] {
  const found: SourceWrite[] = []
  walk(file, shared, (node, scope, owner) => {
    const callee = node['callee'] as Node | undefined
    if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return
    if (!RUNS.has((callee['property'] as Node)['name'] as string)) return
    const [first] = node['arguments'] as Node[]
    if (!first) return
    const receivers = receiversOf(callee['object'] as Node, scope)
    for (const text of textsOf(first, scope)) {
      if (!WRITE.test(text)) continue
      found.push({
        name: `${file.path.slice(room.length)} ${owner}`,
        sql: text.replaceAll(/\s+/g, ' ').trim(),
        changing: receivers.flatMap((each) => changingOf(each, scope) ?? []),
        keeps: receivers.some(
          (each) => each.type === 'MemberExpression' && (each['property'] as Node)['name'] === 'keepingCaches',
        ),
      })
    }
  })
  return found
}

/** The value of a name, and both sides of a conditional. */
function receiversOf(node: Node, scope: Scope): readonly Node[] {
  if (node.type === 'ConditionalExpression')
    return [node['consequent'], node['alternate']].flatMap((each) => receiversOf(each as Node, scope))
  const known = node.type === 'Identifier' ? scope.names.get(node['name'] as string) : undefined
  return known ? receiversOf(known, scope) : [node]
}

function changingOf(node: Node, scope: Scope): readonly string[] | undefined {
  const callee = node['callee'] as Node | undefined
  if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return undefined
  if ((callee['property'] as Node)['name'] !== 'changing') return undefined
  return (node['arguments'] as Node[]).flatMap((each) => textsOf(each, scope))
}

function cachedIn(file: File, shared: ReadonlyMap<string, Node>): readonly string[] {
  const found: string[] = []
  walk(file, shared, (node, scope) => {
    const callee = node['callee'] as Node | undefined
    if (node.type !== 'CallExpression' || callee?.['name'] !== 'cacheOf') return
    const [tables] = node['arguments'] as Node[]
    if (tables?.type === 'ArrayExpression')
      found.push(...(tables['elements'] as Node[]).flatMap((each) => textsOf(each, scope)))
  })
  return found
}

const DEEPEST = 12

/** Every text that an expression may have. */
function textsOf(node: Node, scope: Scope, depth = 0): readonly string[] {
  if (depth > DEEPEST) return [UNKNOWN]
  const of = (each: unknown): readonly string[] => textsOf(each as Node, scope, depth + 1)
  switch (node.type) {
    case 'Literal':
      return [String(node['value'])]
    case 'TemplateLiteral': {
      const quasis = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => [value.cooked])
      const parts = (node['expressions'] as Node[]).map(of)
      return joined(quasis.flatMap((quasi, index) => (parts[index] ? [quasi, parts[index]] : [quasi])))
    }
    case 'BinaryExpression':
      return node['operator'] === '+' ? joined([of(node['left']), of(node['right'])]) : [difference(node, of)]
    case 'MemberExpression':
      return [numberOf(node)]
    case 'UnaryExpression':
      return of(node['argument']).map((text) => `${String(node['operator'])}${text}`)
    case 'ConditionalExpression':
      return [...of(node['consequent']), ...of(node['alternate'])]
    case 'ArrayExpression':
      return (node['elements'] as Node[]).flatMap((each) => of(each))
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return of(node['expression'])
    case 'Identifier': {
      const name = node['name'] as string
      const given = scope.values.get(name)
      const known = scope.names.get(name)
      return given ?? (known && known.type !== 'ArrowFunctionExpression' ? of(known) : [UNKNOWN])
    }
    case 'CallExpression':
      return called(node, scope, depth)
    default:
      return [UNKNOWN]
  }
}

/** The text of a constant function with one expression, such as `(by: string) => 'SELECT …' + by`. */
function called(node: Node, scope: Scope, depth: number): readonly string[] {
  const callee = node['callee'] as Node
  const made = callee.type === 'Identifier' ? scope.names.get(callee['name'] as string) : undefined
  if (made?.type !== 'ArrowFunctionExpression' || (made['body'] as Node).type === 'BlockStatement') return [UNKNOWN]
  const given = (node['arguments'] as Node[]).map((each) => textsOf(each, scope, depth + 1))
  const values = new Map(
    (made['params'] as Node[]).map((each, index) => [each['name'] as string, given[index] ?? [UNKNOWN]]),
  )
  return textsOf(made['body'] as Node, { ...scope, values }, depth + 1)
}

/** `Number.MIN_SAFE_INTEGER`. */
function numberOf(node: Node): string {
  const name = (node['property'] as Node)['name'] as keyof typeof Number
  return (node['object'] as Node)['name'] === 'Number' ? String(Number[name]) : UNKNOWN
}

/** `SLOTS - 1`. */
function difference(node: Node, of: (part: unknown) => readonly string[]): string {
  const value = Number(of(node['left'])[0]) - Number(of(node['right'])[0])
  return node['operator'] === '-' && Number.isFinite(value) ? String(value) : UNKNOWN
}

const joined = (parts: readonly (readonly string[])[]): readonly string[] =>
  parts.reduce((texts, part) => texts.flatMap((text) => part.map((next) => text + next)), [''])
