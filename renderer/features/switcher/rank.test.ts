import { describe, expect, test } from 'vitest'
import { ranked } from './rank.ts'

const NAMES = [
  'release-4-2',
  'map-data',
  'komanda-almaty-archive',
  'Marcus Feld',
  'Agnieszka Maj',
  'Tomasz Zieliński',
  'Łukasz Żółw',
  'Надежда Соколова',
  'Семён Ёлкин',
  'random',
]
const find = (text: string, limit = 12): readonly string[] => ranked(NAMES, text, (name) => name, limit)

describe('the order of what answers', () => {
  test('beginnings come before beginnings of a word, and those before parts', () => {
    expect(find('ma')).toEqual([
      'map-data',
      'Marcus Feld',
      'Agnieszka Maj',
      'komanda-almaty-archive',
      'Tomasz Zieliński',
    ])
  })

  test.each([
    ['lukasz', 'Łukasz Żółw'],
    ['zolw', 'Łukasz Żółw'],
    ['ZIELIN', 'Tomasz Zieliński'],
    ['елкин', 'Семён Ёлкин'],
    ['sokolova', 'Надежда Соколова'],
    ['tz', 'Tomasz Zieliński'],
    ['zielniski', 'Tomasz Zieliński'],
    ['feld mar', 'Marcus Feld'],
    ['rls', 'release-4-2'],
  ])('%s finds %s', (typed, name) => {
    expect(find(typed)[0]).toBe(name)
  })

  test('letters in another order than in the name are no answer', () => {
    expect(find('slr')).toEqual([])
  })

  test('nothing typed keeps everything in its order, up to the limit', () => {
    expect(find(' ', 3)).toEqual(NAMES.slice(0, 3))
  })

  test('what has no letters finds nothing', () => {
    expect(find('***')).toEqual([])
  })
})
