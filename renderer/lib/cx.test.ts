import { expect, test } from 'vitest'
import { cx } from './cx.ts'

test('class names are joined, and absent ones leave no gap', () => {
  expect(cx('a', false, 'b', undefined, '', 'c')).toBe('a b c')
  expect(cx(undefined, false)).toBe('')
})
