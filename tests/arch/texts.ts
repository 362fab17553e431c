import { parseSync } from 'vite'

/** The texts of a file: the words and patterns that may be keys, and texts that are concatenated. */
export type TextUse = {
  readonly literals: ReadonlySet<string>
  /** Templates with at least one fixed part: `trail.${rule}`. */
  readonly patterns: readonly RegExp[]
  /** Source of sums and templates that put letters beside a text of a locale. */
  readonly glued: readonly string[]
}

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode))
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const child of childrenOf(node)) walk(child, visit)
}

export function readTextUse(path: string, source: string): TextUse {
  const program = parseSync(path, source).program as unknown as Node
  const literals = new Set<string>()
  const patterns: RegExp[] = []
  const glued: string[] = []
  const readers = readersIn(program)
  walk(program, (node) => {
    if (node.type === 'Literal' && typeof node['value'] === 'string') literals.add(node['value'])
    if (node.type === 'TemplateLiteral') {
      const pattern = patternOf(node)
      if (pattern) patterns.push(pattern)
      if (isGluedTemplate(node, readers)) glued.push(source.slice(node.start, node.end))
    }
    if (node.type === 'BinaryExpression' && node['operator'] === '+') {
      const sides = [node['left'], node['right']].filter(isNode)
      if (sides.some((side) => isText(side, readers))) glued.push(source.slice(node.start, node.end))
    }
  })
  return { literals, patterns, glued }
}

/** Names to which `useTexts` is assigned: `const t = useTexts('sidebar')`. */
function readersIn(program: Node): ReadonlySet<string> {
  const names = new Set<string>()
  walk(program, (node) => {
    if (node.type !== 'VariableDeclarator' || !isNode(node['init']) || !isNode(node['id'])) return
    const callee = node['init']['callee']
    const isReader = node['init'].type === 'CallExpression' && isNode(callee) && callee['name'] === 'useTexts'
    if (isReader && typeof node['id']['name'] === 'string') names.add(node['id']['name'])
  })
  return names
}

function isText(node: Node, readers: ReadonlySet<string>): boolean {
  const callee = node['callee']
  return node.type === 'CallExpression' && isNode(callee) && readers.has(String(callee['name']))
}

const quasis = (template: Node): string[] =>
  (template['quasis'] as readonly { readonly value: { readonly cooked: string } }[]).map(({ value }) => value.cooked)

function patternOf(template: Node): RegExp | undefined {
  const parts = quasis(template)
  if (parts.every((part) => part === '')) return undefined
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.+')}$`)
}

/** A text with letters around it, or two texts in a row without a sentence's end between them. */
function isGluedTemplate(template: Node, readers: ReadonlySet<string>): boolean {
  const texts = (template['expressions'] as readonly Node[]).filter((each) => isText(each, readers)).length
  if (texts === 0) return false
  const between = quasis(template)
  return (
    between.some((part) => /\p{L}/u.test(part)) ||
    (texts > 1 && between.slice(1, -1).some((part) => !/[.,:;\n]/.test(part)))
  )
}
