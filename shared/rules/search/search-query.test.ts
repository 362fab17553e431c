import { describe, expect, test } from 'vitest'
import { expressionOf, stretchesOf } from './search-match.ts'
import { isEmptyQuery, parseQuery } from './search-query.ts'

const TODAY = { year: 2026, month: 11, day: 21 }
const parse = (text: string) => parseQuery(text, TODAY)
const terms = (text: string) =>
  parse(text).terms.map(({ words, prefix, exclude }) => `${exclude ? '-' : ''}${words.join('+')}${prefix ? '*' : ''}`)
const filters = (text: string) => parse(text).filters.map(({ start: _s, end: _e, ...filter }) => filter)

describe('terms', () => {
  test.each([
    ['Zażółć gęślą ', ['zazolc', 'gesla']],
    ['deplo', ['deplo*']],
    ['deploy ', ['deploy']],
    ['dep* now ', ['dep*', 'now']],
    ['"release candidate" -draft ', ['release+candidate', '-draft']],
    ['-"not this" that ', ['-not+this', 'that']],
    ['foo_bar.ts ', ['foo+bar+ts']],
    ['"never closed', ['never+closed']],
    ['a', ['a']],
    ['12:30 ', ['12+30']],
    ['https://example.org/x ', ['https+example+org+x']],
    ['- -- "" * ', []],
    ['東京都', ['東京+京都']],
    ['"東京都"', ['東京+京都']],
    ['東', ['東*']],
    ['"東"', ['東*']],
  ])('of %s are %j', (text, expected) => {
    expect(terms(text)).toEqual(expected)
  })

  test('an empty input is an empty query', () => {
    expect(isEmptyQuery(parse('  "" '))).toBe(true)
    expect(isEmptyQuery(parse('x'))).toBe(false)
    expect(isEmptyQuery(parse('has:link'))).toBe(false)
  })

  test('an endless text is parsed up to a limit', () => {
    expect(parse('a b '.repeat(10_000)).terms.length).toBeLessThanOrEqual(40)
  })
})

describe('filters', () => {
  test.each([
    ['from:@anna', { kind: 'from', value: 'anna', me: false, exclude: false }],
    ['od:"Anna Nowak"', { kind: 'from', value: 'Anna Nowak', me: false, exclude: false }],
    ['от:меня', { kind: 'from', value: 'меня', me: true, exclude: false }],
    ['-from:bot', { kind: 'from', value: 'bot', me: false, exclude: true }],
    ['in:#general', { kind: 'in', value: 'general', me: false, exclude: false }],
    ['в:общий', { kind: 'in', value: 'общий', me: false, exclude: false }],
    ['mentions:me', { kind: 'mentions', value: 'me', me: true, exclude: false }],
    ['has:photo', { kind: 'has', what: 'image', exclude: false }],
    ['ma:zdjęcie', { kind: 'has', what: 'image', exclude: false }],
    ['есть:файл', { kind: 'has', what: 'file', exclude: false }],
    ['-has:reaction', { kind: 'has', what: 'reaction', exclude: true }],
    ['has:pin', { kind: 'is', what: 'pinned', exclude: false }],
    ['is:thread', { kind: 'is', what: 'thread', exclude: false }],
    ['jest:edytowane', { kind: 'is', what: 'edited', exclude: false }],
    ['это:ответ', { kind: 'is', what: 'reply', exclude: false }],
    ['jest:nieprzeczytane', { kind: 'is', what: 'unread', exclude: false }],
    ['IS:MINE', { kind: 'is', what: 'mine', exclude: false }],
  ])('%s is parsed', (text, expected) => {
    expect(filters(text)).toEqual([expected])
    expect(parse(text)).toMatchObject({ terms: [], problems: [] })
  })

  const day = (year: number, month: number, date: number) => ({ year, month, day: date })
  test.each([
    ['before:2026-03-01', { until: day(2026, 3, 1) }],
    ['after:2026-02-28', { from: day(2026, 3, 1) }],
    ['on:31.12.2025', { from: day(2025, 12, 31), until: day(2026, 1, 1) }],
    ['on:yesterday', { from: day(2026, 11, 20), until: day(2026, 11, 21) }],
    ['dnia:dziś', { from: day(2026, 11, 21), until: day(2026, 11, 22) }],
    ['during:2026-02', { from: day(2026, 2, 1), until: day(2026, 3, 1) }],
    ['during:2025', { from: day(2025, 1, 1), until: day(2026, 1, 1) }],
    ['during:december', { from: day(2025, 12, 1), until: day(2026, 1, 1) }],
    ['podczas:październik', { from: day(2026, 10, 1), until: day(2026, 11, 1) }],
    ['after:7d', { from: day(2026, 11, 15) }],
    ['после:30д', { from: day(2026, 10, 23) }],
    ['after:2026-10', { from: day(2026, 11, 1) }],
  ])('%s is a time range', (text, range) => {
    expect(filters(text)).toEqual([{ kind: 'time', exclude: false, ...range }])
  })

  test.each([
    ['has:unicorn', 'search/unknown-value', ['has+unicorn*']],
    ['before:2026-02-30', 'search/unknown-date', ['before+2026+02+30*']],
    ['on:soon ', 'search/unknown-date', ['on+soon']],
  ])('%s is reported as %s, and searched as text', (text, code, expected) => {
    expect(parse(text).problems).toEqual([{ start: 0, end: text.trimEnd().length, code }])
    expect(terms(text)).toEqual(expected)
  })

  test('a key without a value, or an unknown key, is text', () => {
    expect(terms('from: ')).toEqual(['from'])
    expect(terms('note:this ')).toEqual(['note+this'])
    expect(parse('from: note:this ').problems).toEqual([])
  })

  test('every part has its range in the input', () => {
    const text = 'plan  from:anna "next week"'
    const { terms: found, filters } = parse(text)
    expect([...found, ...filters].map(({ start, end }) => text.slice(start, end))).toEqual([
      'plan',
      '"next week"',
      'from:anna',
    ])
  })
})

describe('emphasis', () => {
  const marked = (text: string, query: string) =>
    stretchesOf(text, parse(query).terms).map(([start, end]) => text.slice(start, end))

  test.each([
    ['Zjadłem ŻÓŁTĄ cytrynę', 'zolta cytr', ['ŻÓŁTĄ', 'cytrynę']],
    ['die Straße, die Gasse', 'strasse ', ['Straße']],
    ['one two three two three', '"two three"', ['two three', 'two three']],
    ['不是東京都的', '東京都', ['東京都']],
    ['不是東京都的', '京', ['京']],
    ['no match', 'nothing ', []],
    ['kept but -gone', 'kept -gone ', ['kept']],
  ])('in “%s” of %s is %j', (text, query, expected) => {
    expect(marked(text, query)).toEqual(expected)
  })
})

test('nothing a user types is an operator of the index', () => {
  const query = parse('"a" OR b* NEAR(c) {marks}:x "un"quoted" AND -d ')
  const expression = expressionOf({ terms: query.terms, anyOf: [], noneOf: [], joined: [] })
  expect(expression).not.toMatch(/NEAR\(|\{/)
  expect(expression?.match(/"/g)?.length).toBe(2 * query.terms.length)
})
