import { expect, test } from 'vitest'
import { assistantWork } from '../channels/typing.ts'

test.each([
  ['AI_STATE_THINKING', { state: 'thinking' }],
  ['AI_STATE_CHECKING_SOURCES', { state: 'checking' }],
  ['AI_STATE_GENERATING', { state: 'generating' }],
  ['AI_STATE_ERROR', { state: 'error' }],
  ['Reading the handbook', { state: 'other', text: 'Reading the handbook' }],
  ['toString', { state: 'other', text: 'toString' }],
  ['a\u202Eb\nc', { state: 'other', text: 'abc' }],
  ['x'.repeat(200), { state: 'other', text: 'x'.repeat(80) }],
  [' ', undefined],
  [7, undefined],
  [undefined, undefined],
])('the state %o is decoded to %o', (state, work) => {
  expect(assistantWork(state)).toEqual(work)
})
