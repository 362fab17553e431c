import { expect, test } from 'vitest'
import { asMessageId } from '#shared/lib/brand.ts'
import { EMPTY_COMPOSITION, mergeCompositions } from './composer.ts'

test('merging joins the texts with a blank line, each file once, and takes the later quote', () => {
  const first = { ...EMPTY_COMPOSITION, text: 'one', uploadIds: ['a', 'b'], quotedId: asMessageId('q1') }
  const second = { text: 'two', caret: 1, uploadIds: ['b', 'c'], showInChannel: true, quotedId: asMessageId('q2') }
  expect(mergeCompositions(first, second)).toEqual({
    text: 'one\n\ntwo',
    caret: 8,
    uploadIds: ['a', 'b', 'c'],
    showInChannel: true,
    quotedId: 'q2',
  })
})

test('merging with an empty composition changes nothing, not even the caret', () => {
  const one = { ...EMPTY_COMPOSITION, text: 'one', caret: 2, quotedId: asMessageId('q') }
  expect(mergeCompositions(EMPTY_COMPOSITION, one)).toEqual(one)
  expect(mergeCompositions(one, EMPTY_COMPOSITION).text).toBe('one')
})
