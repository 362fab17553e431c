import { expect, test } from 'vitest'
import { toggled } from './toggled.ts'

test('a value is added or removed, and the given set stays as it is', () => {
  const set = new Set(['a'])
  expect([...toggled(set, 'b')]).toEqual(['a', 'b'])
  expect([...toggled(set, 'a')]).toEqual([])
  expect([...set]).toEqual(['a'])
})
