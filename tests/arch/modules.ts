import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor, type ESTree } from 'vite'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export type Module = {
  /** Path from the root, with forward slashes. */
  readonly path: string
  readonly source: string
  /** Resolved path from the root for own files, the package's name otherwise (with its `node:`). */
  readonly imports: readonly string[]
}

/** Every file that git knows or would add. */
export function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((path) => path !== '' && existsSync(join(root, path)))
}

/** Every TypeScript file of those, tests included. */
export const sourceFiles = (): string[] =>
  trackedFiles().filter((path) => /\.(ts|tsx)$/.test(path) && !path.endsWith('.d.ts'))

export const readSource = (path: string): string => readFileSync(join(root, path), 'utf8')

export function readModule(path: string, source = readSource(path)): Module {
  return { path, source, imports: importsOf(path, source).map((name) => resolveImport(path, name)) }
}

function importsOf(path: string, source: string): string[] {
  const { module, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  const fromImports = module.staticImports.map((entry) => entry.moduleRequest.value)
  const fromExports = module.staticExports.flatMap((entry) =>
    entry.entries.flatMap((name) => name.moduleRequest?.value ?? []),
  )
  const fromCalls = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) =>
    literal(source.slice(start, end)),
  )
  return [...new Set([...fromImports, ...fromExports, ...fromCalls])]
}

const literal = (text: string): string[] => (/^(['"]).*\1$/.test(text) ? [text.slice(1, -1)] : [])

export function resolveImport(from: string, name: string): string {
  if (name.startsWith('.')) return normalize(join(dirname(from), name)).replaceAll('\\', '/')
  if (name.startsWith('#kit/')) return name.replace('#kit/', 'tests/kit/')
  if (name.startsWith('#')) return name.slice(1)
  if (name.startsWith('node:')) return name
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

export const isTest = (path: string): boolean => path.startsWith('tests/') || /\.test\.tsx?$/.test(path)

export type TestFile = {
  /** Names of its tests, as written. */
  readonly titles: readonly string[]
  /** Every other text in it. */
  readonly texts: readonly string[]
}

export function readTest(path: string, source = readSource(path)): TestFile {
  const titles: string[] = []
  const texts: string[] = []
  const named = new Set<number>()
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (!title || !['test', 'it', 'describe'].includes(rootName(callee))) return
      if (title.type !== 'Literal' && title.type !== 'TemplateLiteral') return
      named.add(title.start)
      titles.push(source.slice(title.start + 1, title.end - 1))
    },
    Literal(node) {
      if ('regex' in node) texts.push(node.regex.pattern)
      else if (typeof node.value === 'string' && !named.has(node.start)) texts.push(node.value)
    },
    TemplateElement: ({ value }) => void texts.push(value.cooked ?? value.raw),
  }).visit(parseSync(path, source).program)
  return { titles, texts }
}

/** `test` of `test.each(rows)(…)`. */
function rootName(callee: ESTree.Node): string {
  if (callee.type === 'CallExpression') return rootName(callee.callee)
  if (callee.type === 'MemberExpression') return rootName(callee.object)
  return callee.type === 'Identifier' ? callee.name : ''
}
