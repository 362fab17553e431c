import { describe, expect, test } from 'vitest'
import { hitsIn, rangeOf } from './find.ts'

describe('finding in a page', () => {
  test('case and diacritics make no difference', () => {
    expect(hitsIn(2, ['Łódź i lodz'], 'LODZ')).toEqual([
      { page: 2, from: { piece: 0, offset: 0 }, to: { piece: 0, offset: 4 } },
      { page: 2, from: { piece: 0, offset: 7 }, to: { piece: 0, offset: 11 } },
    ])
  })

  test('words are found across pieces and the ends of lines', () => {
    expect(hitsIn(1, ['a long', ' ', 'way\n', 'home'], 'way  home')).toEqual([
      { page: 1, from: { piece: 2, offset: 0 }, to: { piece: 3, offset: 4 } },
    ])
  })

  test('nothing is found for nothing', () => {
    expect([hitsIn(1, ['text'], '  '), hitsIn(1, [], 'text'), hitsIn(1, ['text'], 'other')]).toEqual([[], [], []])
  })

  test('signs that mean something in a pattern are only signs', () => {
    expect(hitsIn(1, ['(a.b)*'], '.b)*')).toHaveLength(1)
  })
})

test('a hit is marked in the letters that are drawn, or not at all', () => {
  const elements = ['Łódź ', 'here'].map((text) => Object.assign(document.createElement('span'), { textContent: text }))
  document.body.replaceChildren(...elements)
  const [hit] = hitsIn(1, ['Łódź ', 'here'], 'dz he')
  const range = hit && rangeOf(hit, elements)
  expect([range?.startContainer.textContent, range?.startOffset]).toEqual(['Łódź ', 2])
  expect([range?.endContainer.textContent, range?.endOffset]).toEqual(['here', 2])
  expect(hit && rangeOf(hit, elements.slice(0, 1))).toBeUndefined()
})
