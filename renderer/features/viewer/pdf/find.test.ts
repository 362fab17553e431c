import { describe, expect, test } from 'vitest'
import { hitsIn, rangeOf } from './find.ts'

describe('finding in a page', () => {
  test('ignores case and diacritics', () => {
    expect(hitsIn(2, ['Łódź i lodz'], 'LODZ')).toEqual([
      { page: 2, from: { piece: 0, offset: 0 }, to: { piece: 0, offset: 4 } },
      { page: 2, from: { piece: 0, offset: 7 }, to: { piece: 0, offset: 11 } },
    ])
  })

  test('matches across pieces and line ends', () => {
    expect(hitsIn(1, ['a long', ' ', 'way\n', 'home'], 'way  home')).toEqual([
      { page: 1, from: { piece: 2, offset: 0 }, to: { piece: 3, offset: 4 } },
    ])
  })

  test('an empty query has no hits', () => {
    expect(hitsIn(1, ['text'], '  ')).toEqual([])
    expect(hitsIn(1, [], 'text')).toEqual([])
    expect(hitsIn(1, ['text'], 'other')).toEqual([])
  })

  test('regular expression syntax is matched literally', () => {
    expect(hitsIn(1, ['(a.b)*'], '.b)*')).toHaveLength(1)
  })
})

test('a hit becomes a range in the rendered text, or none if that differs', () => {
  const elements = ['Łódź ', 'here'].map((text) => Object.assign(document.createElement('span'), { textContent: text }))
  document.body.replaceChildren(...elements)
  const [hit] = hitsIn(1, ['Łódź ', 'here'], 'dz he')
  const range = hit && rangeOf(hit, elements)
  expect(range?.startContainer.textContent).toBe('Łódź ')
  expect(range?.startOffset).toBe(2)
  expect(range?.endContainer.textContent).toBe('here')
  expect(range?.endOffset).toBe(2)
  expect(hit && rangeOf(hit, elements.slice(0, 1))).toBeUndefined()
})
