import { expect, test } from 'vitest'
import { readSource, sourceFiles, trackedFiles } from './modules.ts'

const FAIL_ABOVE = 600

test('no file grows beyond 600 lines', () => {
  const sizes = sourceFiles().map((path) => ({ path, lines: readSource(path).split('\n').length }))
  expect(sizes.filter(({ lines }) => lines > FAIL_ABOVE)).toEqual([])
})

const MOST_ENTRIES = 30

/** Folders of code by their path, with the files and folders directly in them. */
function folders(paths: readonly string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const path of paths) {
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/')
      found.set(folder, (found.get(folder) ?? new Set()).add(parts[depth] ?? ''))
    }
  }
  return found
}

test('no folder of code has more than 30 entries', () => {
  const code = trackedFiles().filter((path) => /^(shared|main|preload|renderer|tests|\.ci)\//.test(path))
  const crowded = [...folders(code)].flatMap(([path, { size }]) => (size > MOST_ENTRIES ? [`${path}: ${size}`] : []))
  expect(crowded).toEqual([])
  expect(folders(['a/b/c.ts', 'a/d.ts']).get('a')?.size).toBe(2)
})
