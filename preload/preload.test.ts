import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { build } from 'vite'
import { beforeAll, describe, expect, test } from 'vitest'

type Node = { readonly type: string; readonly [key: string]: unknown }

const entry = fileURLToPath(new URL('./index.ts', import.meta.url))
let files: string[] = []
let code = ''
let nodes: Node[] = []

beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: entry, external: ['electron'], output: { format: 'cjs' } },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []))
  files = outputs.map((output) => output.fileName)
  code = outputs[0] && 'code' in outputs[0] ? outputs[0].code : ''
  nodes = everyNode(parseSync('preload.cjs', code).program)
})

describe('the built preload', () => {
  test('is one small file', () => {
    expect(files).toHaveLength(1)
    expect(code.length).toBeGreaterThan(500)
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(24 * 1024)
  })

  test('requires electron and nothing else', () => {
    const required = nodes
      .filter((node) => node.type === 'CallExpression' && nameOf(node['callee']) === 'require')
      .map((node) => ((node['arguments'] as Node[])[0] as { value?: unknown }).value)
    expect(required).toEqual(['electron'])
    expect(nodes.filter((node) => node.type === 'ImportExpression')).toEqual([])
  })

  test('exposes exactly one object, under one name', () => {
    const exposed = nodes.filter(
      (node) => node.type === 'CallExpression' && nameOf(node['callee']) === 'exposeInMainWorld',
    )
    expect(exposed.map((node) => ((node['arguments'] as Node[])[0] as { value?: unknown }).value)).toEqual(['parlor'])
  })

  test('uses ipcRenderer only to call a method of it', () => {
    const uses = nodes.filter((node) => node.type === 'MemberExpression' && nameOf(node['object']) === 'ipcRenderer')
    expect(uses.map((node) => (node['property'] as { name: string }).name).toSorted()).toEqual([
      'invoke',
      'on',
      'removeListener',
    ])
    const all = nodes.filter((node) => node.type === 'Identifier' && node['name'] === 'ipcRenderer')
    expect(all).toHaveLength(uses.length)
  })

  test('hands no event object to the page', () => {
    expect(readFileSync(entry, 'utf8')).not.toMatch(/listener\(\s*_?event/)
  })
})

function nameOf(node: unknown): string {
  const { type, name, property } = node as { type: string; name?: string; property?: { name?: string } }
  return (type === 'Identifier' ? name : property?.name) ?? ''
}

function everyNode(root: unknown): Node[] {
  if (Array.isArray(root)) return root.flatMap(everyNode)
  if (typeof root !== 'object' || root === null) return []
  const own = 'type' in root && typeof root.type === 'string' ? [root as Node] : []
  return [...own, ...Object.values(root).flatMap(everyNode)]
}
