import { expect, test } from 'vitest'
import { asSentence } from './as-sentence.ts'
import { matchIn } from './match-in.ts'

test.each([
  ['Łódź office', 'lodz', ['', 'Łódź', ' office']],
  ['Straße', 'ss', ['Stra', 'ß', 'e']],
  ['release', 'EAS', ['rel', 'eas', 'e']],
  ['release', 'x', ['release', '', '']],
  ['release', '', ['release', '', '']],
])('of %j the part that matches %j is marked as it is written', (name, query, [before, match, after]) => {
  expect(matchIn(name, query)).toEqual({ before, match, after })
})

test('a full stop ends a sentence that has no end of its own', () => {
  expect(['Saved', 'Saved.', 'Really?', 'Stop!', 'Loading…'].map(asSentence)).toEqual([
    'Saved.',
    'Saved.',
    'Really?',
    'Stop!',
    'Loading…',
  ])
})
