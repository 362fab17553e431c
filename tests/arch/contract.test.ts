import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CAPABILITIES } from '#shared/rules/channels/grants.ts'
import { routes } from '#main/server/routes.ts'
import { CLOSE_CODES } from '#shared/wire/connect.ts'
import { WIRE_CODES } from '#shared/wire/errors.ts'
import { ERROR_TEXTS, NOTICE_TEXTS, VALIDATION_TEXTS } from './behaviour.ts'
import { root, sourceFiles } from './modules.ts'

/** A client can be written from this page alone, so it names everything that the local server accepts and sends. */
const page = readFileSync(join(root, 'docs/wire.md'), 'utf8')
const names = new Set(page.match(/[$A-Za-z_][\w-]*/g))
const cellsOf = (line: string): readonly string[] => line.split('|').map((cell) => cell.trim())
const partOf = (from: RegExp, to: RegExp): readonly string[] => {
  const lines = page.split('\n')
  const start = lines.findIndex((line) => from.test(line))
  return lines.slice(
    start,
    lines.findIndex((line, at) => at > start && to.test(line)),
  )
}

type Row = { readonly methods: readonly string[]; readonly paths: readonly string[]; readonly line: string }

const withoutNames = (path: string): string => path.replaceAll(/\{\w+\}|:\w+/g, '*')

/** Rows of chapter 3, and those of the server's own additions. */
function endpointRows(): readonly Row[] {
  let prefix = ''
  const listed: Row[] = []
  for (const line of partOf(/^## 3\. /, /^### 3\.18/)) {
    if (line.startsWith('###')) prefix = /prefix (\/\S+)\)/.exec(line)?.[1] ?? ''
    const [, methods = '', paths = ''] = cellsOf(line)
    if (!/^(GET|POST|PUT|PATCH|DELETE)\b/.test(methods)) continue
    listed.push({
      methods: methods.split(', '),
      paths: paths.split(', ').map((path) => withoutNames(prefix + path)),
      line,
    })
  }
  const own = [...page.matchAll(/^\| `([A-Z]+) (\/[\w/:]+)` .*$/gm)].map(([line, method = '', path = '']) => ({
    methods: [method],
    paths: [withoutNames(path)],
    line,
  }))
  return [...listed, ...own]
}

const rows = endpointRows()
const rowOf = (method: string, path: string): Row | undefined =>
  rows.find(({ methods, paths }) => methods.includes(method) && paths.includes(withoutNames(path)))

test('the page names every endpoint of the router, with its operation', () => {
  const unnamed = routes.filter(({ method, path, operation }) => !rowOf(method, path)?.line.includes(operation))
  expect(routes.length).toBeGreaterThan(180)
  expect(unnamed.map(({ method, path, operation }) => `${method} ${path} ${operation}`)).toEqual([])
})

test('every endpoint that the page names is one of the router, or handled before it', () => {
  const handledBefore = [
    'GET (ws) /connect',
    'GET /longpoll',
    'POST /channels/*/*/file',
    'POST /channels/*/*/image',
    'POST /uploads/file',
    'POST /uploads/image',
  ]
  const known = new Set([...handledBefore, ...routes.map(({ method, path }) => `${method} ${withoutNames(path)}`)])
  const named = rows.flatMap(({ methods, paths }) =>
    methods.flatMap((method) => paths.map((path) => `${method} ${path}`)),
  )
  expect(named.filter((endpoint) => !known.has(endpoint))).toEqual([])
})

type Shape = {
  readonly entries?: Readonly<Record<string, Shape>>
  readonly wrapped?: Shape
  readonly item?: Shape
  readonly value?: Shape
  readonly options?: readonly Shape[]
  readonly pipe?: readonly Shape[]
}

function fieldsOf(shape: Shape | undefined, depth = 0): readonly string[] {
  if (typeof shape !== 'object' || depth > 6) return []
  const own = Array.isArray(shape.entries) ? [] : Object.entries(shape.entries ?? {})
  const parts = [shape.wrapped, shape.item, shape.value, ...(shape.options ?? []), ...(shape.pipe ?? [])]
  return [
    ...own.flatMap(([name, field]) => [name, ...fieldsOf(field, depth + 1)]),
    ...parts.filter((part) => part !== shape).flatMap((part) => fieldsOf(part, depth + 1)),
  ]
}

test('the page names every field that the server reads', () => {
  const read = routes.flatMap(({ method, path, shapes }) =>
    [shapes.query, shapes.body].flatMap((shape) =>
      fieldsOf(shape as Shape | undefined).map((field) => ({ field, of: `${method} ${path}: ${field}` })),
    ),
  )
  expect(read.length).toBeGreaterThan(500)
  expect([...new Set(read.filter(({ field }) => !names.has(field)).map(({ of }) => of))]).toEqual([])
})

test('the page names every field of the objects and events that the server sends', () => {
  const files = sourceFiles().filter((path) => /^shared\/wire\/[\w-]+\.ts$/.test(path) && !path.endsWith('.test.ts'))
  const sent = files.flatMap((path) =>
    [
      ...readFileSync(join(root, path), 'utf8').matchAll(
        /[\n{;(]\s*(?:readonly )?([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\??: /g,
      ),
    ].map(([, field = '']) => ({ path, field })),
  )
  expect(sent.length).toBeGreaterThan(400)
  expect(sent.filter(({ field }) => !names.has(field))).toEqual([])
})

test('the page names every event type', () => {
  const union = readFileSync(join(root, 'shared/wire/events.ts'), 'utf8')
  const types = [...union.matchAll(/On<\s*'([^']+)'/g)].map(([, type = '']) => type)
  expect(types.length).toBeGreaterThan(35)
  expect(types.filter((type) => !page.includes(`\`${type}\``))).toEqual([])
})

test('the page has every code with its status and whether a retry can help', () => {
  const listed = partOf(/^### 1\.7 /, /^### 1\.8/)
    .map(cellsOf)
    .filter(([, code = '']) => /^-?\d+$/.test(code))
    .map(([, code, , status, retry]) => [Number(code), Number(status), retry?.startsWith('yes') === true])
  const ours = Object.values(WIRE_CODES).map(({ code, status, retryable }) => [code, status, retryable])
  expect(listed).toEqual(expect.arrayContaining(ours))
})

test('the page has every close code', () => {
  const listed = new Set(
    partOf(/^### 2\.6 /, /^### 2\.7/)
      .flatMap((line) => (cellsOf(line)[1] ?? '').split(', '))
      .map(Number),
  )
  expect(Object.values(CLOSE_CODES).filter((code) => !listed.has(code))).toEqual([])
})

test('the page names every capability', () => {
  const listed = new Set(
    partOf(/^### 5\.5 /, /^### 5\.6/).flatMap((line) =>
      (cellsOf(line)[1] ?? '').split(', ').map((name) => name.trim()),
    ),
  )
  expect(CAPABILITIES.length).toBeGreaterThan(30)
  expect(CAPABILITIES.filter((name) => !listed.has(name))).toEqual([])
})

test('the page has every fixed text, and the type of every notice', () => {
  const examples = { 'type a!': 'type {type}', 'id a:b': 'id {id}', 'code 1006': 'code {code}', '- gone': '- {reason}' }
  const inGeneral = (text: string): string =>
    Object.entries(examples).reduce((known, [example, name]) => known.replace(example, name), text)
  // The text for a foreign thread is our own.
  const fixed = [...VALIDATION_TEXTS, ...NOTICE_TEXTS, ...ERROR_TEXTS].filter(({ shown }) => shown !== 'AGR-69')
  expect(fixed.map(({ text }) => inGeneral(text)).filter((text) => !page.includes(text))).toEqual([])
  expect(NOTICE_TEXTS.filter(({ type }) => !page.includes(type))).toEqual([])
})
