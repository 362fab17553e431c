import { expect, test } from 'vitest'
import { asUserId } from '#shared/lib/brand.ts'
import { cutText, excerpt, isEmptyText, isLongerThan, presentMentions, textLength } from './text.ts'

test.each([
  '',
  ' ',
  '\n\t',
  '\u200D',
  '\u200B'.repeat(5),
  '\u0301',
  '\u3164',
  '\u2800',
  '\u00AD\u2060',
  '>',
  ' > ',
  '**',
  '__',
  '``',
  '``````',
  '****',
  '____',
  '  ____\n',
])('AGR-35 counts %j as empty', (text) => expect(isEmptyText(text)).toBe(true))

test.each(['a', '-', '👩‍👩‍👧', 'ą', '\uFFFD', '>a', '`', '```', '*', '***', '> **', '0', '—', '👍'])(
  'counts %j as text',
  (text) => expect(isEmptyText(text)).toBe(false),
)

test('an emoji is one character', () => {
  expect(textLength('a👍')).toBe(2)
  expect(isLongerThan('👍👍', 2)).toBe(false)
  expect(isLongerThan('👍👍👍', 2)).toBe(true)
})

test('cutting never splits a character', () => {
  expect(cutText('a👍b', 2)).toBe('a👍')
  expect(cutText('abc', undefined)).toBe('abc')
})

test('AGR-36 mentions remain only while their id or name is in the text', () => {
  const people = [
    { id: asUserId('ala'), name: 'Ala Nowak' },
    { id: asUserId('bob'), name: 'Bob' },
    { id: asUserId('eve'), name: '' },
  ]
  expect(presentMentions('hi @Ala Nowak and @bob', people)).toEqual(['ala', 'bob'])
  expect(presentMentions('hi Ala', people)).toEqual([])
})

test('an excerpt is one line', () => {
  expect(excerpt('one\n two   three', 9)).toBe('one two…')
})
