import { expect, test } from 'vitest'
import { readSource, sourceFiles } from './modules.ts'

const FAIL_ABOVE = 600

test('no file grows beyond 600 lines', () => {
  const sizes = sourceFiles().map((path) => ({ path, lines: readSource(path).split('\n').length }))
  expect(sizes.filter(({ lines }) => lines > FAIL_ABOVE)).toEqual([])
})
