import { expect, test } from 'vitest'
import { aChannel } from '#kit/fake-bridge/index.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { dayOf, isoDay, extractChips, placeNameElsewhere, quoted, textOf, typingAt } from './question.ts'

const TODAY = { year: 2026, month: 11, day: 20 }

test.each([
  ['from:ola ', ['from:ola'], ''],
  ['banner from:ola ', ['from:ola'], 'banner '],
  ['from:"Ola W" in:release closure', ['from:"Ola W"', 'in:release'], 'closure'],
  ['od:ola jest:przypięte x', ['od:ola', 'jest:przypięte'], 'x'],
  ['-has:link x', ['-has:link'], 'x'],
])('a finished filter is extracted from "%s"', (typed, chips, text) => {
  expect(extractChips(typed, TODAY)).toEqual({ chips, text })
})

test.each(['from:ola', 'from:"Ola ', 'has:nothing ', 'http://x.example ', 'one two '])(
  '"%s" stays as it is while it may go on or is no filter',
  (typed) => {
    expect(extractChips(typed, TODAY)).toEqual({ chips: [], text: typed })
  },
)

test('Enter finishes the last filter too', () => {
  expect(extractChips('banner from:ola', TODAY, true)).toEqual({ chips: ['from:ola'], text: 'banner ' })
})

test.each([
  ['from:j', { key: 'from', start: 0, head: 'from:', value: 'j' }],
  ['banner -от:"Надежда С', { key: 'from', start: 7, head: '-от:', value: 'Надежда С' }],
  ['has:', { key: 'has', start: 0, head: 'has:', value: '' }],
])('at the end of "%s" a filter is being typed', (text, typing) => {
  expect(typingAt(text, text.length)).toEqual(typing)
})

test.each(['banner', 'foo:bar', 'from:"Ola" ', 'from:ola '])('at the end of "%s" none is', (text) => {
  expect(typingAt(text, text.length)).toBeUndefined()
})

test('filters come first, and an unfinished one is left out', () => {
  expect(textOf({ chips: ['from:ola', 'in:release'], text: ' closure ban' })).toBe('from:ola in:release closure ban')
  expect(textOf({ chips: ['in:release'], text: 'closure from:jo' })).toBe('in:release closure ')
  expect(textOf({ chips: [], text: 'has:fi' })).toBe('')
  expect(textOf({ chips: [], text: 'has:file' })).toBe('has:file')
})

test('values with spaces are quoted, and days use the filter format', () => {
  expect(quoted('ola')).toBe('ola')
  expect(quoted('Ola "W" Nowak')).toBe('"Ola W Nowak"')
  expect(isoDay(dayOf(new Date(2026, 2, 7, 23, 59).getTime()))).toBe('2026-03-07')
})

test('a place of another account is named by the answer: a channel by its name, a direct conversation by its people', () => {
  const names: Readonly<Record<string, string>> = { bo: 'Bo', eva: 'Eva Long' }
  const named = (over: Parameters<typeof aChannel>[0]): string => placeNameElsewhere(aChannel(over), (id) => names[id])
  const direct = ['bo', 'eva', 'gone'].map(asUserId)
  expect(named({ cid: 'team:docks', name: 'docks' })).toBe('#docks')
  expect(named({ cid: 'messaging:!members-1', name: '', directUserIds: direct })).toBe('Bo, Eva Long, gone')
  expect(placeNameElsewhere(undefined, () => undefined)).toBe('')
})
