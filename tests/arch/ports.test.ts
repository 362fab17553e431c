import { expect, test } from 'vitest'
import { parseSync } from 'vite'
import { isTest, readSource, sourceFiles } from './modules.ts'

/** Files that define the parts of an engine, or assemble them and pass each feature its own. */
const ASSEMBLE: ReadonlySet<string> = new Set([
  'main/engine/core.ts',
  'main/engine/assemble.ts',
  'main/engine/engine.ts',
  'main/engine/registry/feature.ts',
  'main/engine/registry/feature.ts',
])

type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The lines of a file that name `Core` as a type, except to pick parts of it or the type of one. */
function takesWhole(path: string, source: string): number[] {
  const lines: number[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isNode(value)) return
    const name = value.type === 'TSTypeReference' ? source.slice(value.start).match(/^\w+/)?.[0] : undefined
    if (name === 'Pick' || value.type === 'TSIndexedAccessType') return
    if (name === 'Core') lines.push(source.slice(0, value.start).split('\n').length)
    Object.values(value).forEach(visit)
  }
  visit(parseSync(path, source).program)
  return lines
}

test('a module names the parts of the engine that it needs, and imports no whole engine', () => {
  const modules = sourceFiles().filter((path) => path.startsWith('main/') && !isTest(path) && !ASSEMBLE.has(path))
  const users = modules.filter((path) => /\bCore\b/.test(readSource(path)))
  expect(users.length).toBeGreaterThan(40)
  expect(users.flatMap((path) => takesWhole(path, readSource(path)).map((line) => `${path}:${line}`))).toEqual([])
})

test('a planted module that uses the whole engine is reported', () => {
  const planted = `import type { Core } from '../core.ts'
export const one = (core: Pick<Core, 'me' | 'write'>) => core.me
export function two({ cache }: Core) { return cache }
class Three { readonly #core: Core }
type Four = { readonly part: Core['me'] }`
  expect(takesWhole('main/engine/planted.ts', planted)).toEqual([3, 4])
})
