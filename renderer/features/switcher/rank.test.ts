import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nameRank, nameWords } from '#shared/rules/search/search-names.ts'
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

describe('the ranking of matches', () => {
  test('prefixes of the name rank above prefixes of a word, and those above substrings', () => {
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

  test('letters in another order do not match', () => {
    expect(find('slr')).toEqual([])
  })

  test('an empty query returns all items in their order, up to the limit', () => {
    expect(find(' ', 3)).toEqual(NAMES.slice(0, 3))
  })

  test('a query without letters matches nothing', () => {
    expect(find('***')).toEqual([])
  })

  test('skipping candidates for speed does not change the best results', () => {
    const name = fc
      .array(fc.stringMatching(/^[abc]{1,6}$/), { minLength: 1, maxLength: 3 })
      .map((words) => words.join(' '))
    const typed = fc.oneof(fc.stringMatching(/^[abcd]{1,6}$/), fc.stringMatching(/^[abc]{1,4} [abc]{1,3}$/))
    fc.assert(
      fc.property(fc.array(name, { maxLength: 40 }), typed, fc.integer({ min: 1, max: 8 }), (names, text, limit) => {
        const all = names.flatMap((one, at) => {
          const rank = nameRank(nameWords(one), nameWords(text))
          return rank === undefined ? [] : [{ one, rank, at }]
        })
        const best = all.toSorted((a, b) => a.rank - b.rank || a.at - b.at).slice(0, limit)
        // Scattered letters come after all of these.
        expect(ranked(names, text, (one) => one, limit).slice(0, best.length)).toEqual(best.map(({ one }) => one))
      }),
    )
  })
})
