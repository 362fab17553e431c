import { expect, test } from 'vitest'
import { asSentence } from './as-sentence.ts'

test('a full stop ends a sentence that has no end of its own', () => {
  expect(['Saved', 'Saved.', 'Really?', 'Stop!', 'Loading…'].map(asSentence)).toEqual([
    'Saved.',
    'Saved.',
    'Really?',
    'Stop!',
    'Loading…',
  ])
})
