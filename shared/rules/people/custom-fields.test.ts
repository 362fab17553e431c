import { expect, test } from 'vitest'
import { fieldOf, fieldText, typedField } from './people.ts'

test('values keep their kind, and what is neither text nor number nor switch is JSON', () => {
  expect(fieldOf('Алматы')).toBe('Алматы')
  expect(fieldOf(7)).toBe(7)
  expect(fieldOf({ a: [1] })).toEqual({ json: '{"a":[1]}' })
  expect(fieldOf(null)).toEqual({ json: 'null' })
  expect(fieldText({ json: '[1]' })).toBe('[1]')
  expect(fieldText(true)).toBe('true')
  expect(fieldText(undefined)).toBe('')
})

test('a typed value has the kind of the one before it where it can', () => {
  expect(typedField('8', 7)).toBe(8)
  expect(typedField('eight', 7)).toBe('eight')
  expect(typedField('false', true)).toBe(false)
  expect(typedField('[2]', { json: '[1]' })).toEqual({ json: '[2]' })
  expect(typedField('[2', { json: '[1]' })).toBe('[2')
  expect(typedField('true', 'no')).toBe('true')
})
