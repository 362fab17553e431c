import { expect, test } from 'vitest'
import { nextVersion } from './composer.ts'

const last = { text: 'The tents are dry', beganAt: 0 }
const minutes = (count: number) => count * 60_000

test.each([
  ['The tents are dry and packed', 1, 'grow'],
  ['The tents were dry', 1, 'grow'],
  ['The tents', 1, 'keep'],
  ['The dry', 1, 'keep'],
  ['', 1, 'keep'],
  ['The tents are dry', 9, 'keep'],
  ['Something else altogether', 1, 'add'],
  ['The tents are dry and packed', 6, 'add'],
])('after "The tents are dry", "%s" %i minutes later: %s', (text, later, how) => {
  expect(nextVersion(last, text, minutes(later))).toBe(how)
})

test('text that is deleted step by step stays in the version that contains it', () => {
  let held = last.text
  for (let length = held.length; length > 0; length -= 1) {
    expect(nextVersion({ ...last, text: held }, last.text.slice(0, length), 1)).toBe('keep')
    held = last.text
  }
  expect(nextVersion(undefined, 'first', 0)).toBe('add')
})
