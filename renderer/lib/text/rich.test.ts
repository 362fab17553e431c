import { expect, test } from 'vitest'
import { asSentence } from './rich.tsx'

test('a full stop ends a sentence without other punctuation at its end', () => {
  expect(['Saved', 'Saved.', 'Really?', 'Stop!', 'Loading…'].map(asSentence)).toEqual([
    'Saved.',
    'Saved.',
    'Really?',
    'Stop!',
    'Loading…',
  ])
})
