import { expect, test } from 'vitest'
import { SEARCHES_KEPT, type SavedSearch } from '../../domain/saved-search.ts'
import { asCid } from '../../lib/brand.ts'
import {
  renamingFault,
  savingFault,
  searchAsking,
  withoutSearch,
  withSearch,
  withSearchBack,
  withSearchMoved,
  withSearchRenamed,
} from './saved-searches.ts'

const saved = (name: string, text = name): SavedSearch => ({ name, text, chips: [], tab: 'messages' })
const three = [saved('Links'), saved('Łąka'), saved('Mine')]
const names = (searches: readonly SavedSearch[]) => searches.map(({ name }) => name)

test('a new one stands last; one of the same name, however it is spelled, is replaced where it stands', () => {
  expect(names(withSearch(three, saved(' New ')))).toEqual(['Links', 'Łąka', 'Mine', 'New'])
  expect(withSearch(three, saved('LAKA', 'has:image'))[1]).toEqual(saved('LAKA', 'has:image'))
})

test('without a name nothing is kept, and only so many; replacing is always possible', () => {
  const full = Array.from({ length: SEARCHES_KEPT }, (_, at) => saved(`search ${at}`))
  expect([savingFault(three, '  '), savingFault(three, 'links'), savingFault(three, 'x')]).toEqual([
    'name',
    undefined,
    undefined,
  ])
  expect([savingFault(full, 'one more'), savingFault(full, 'Search 7')]).toEqual(['full', undefined])
})

test('a name is changed, but not to that of another one', () => {
  expect(names(withSearchRenamed(three, 'Mine', ' Ours '))).toEqual(['Links', 'Łąka', 'Ours'])
  expect([
    renamingFault(three, 'Mine', 'laka'),
    renamingFault(three, 'Łąka', 'Laka'),
    renamingFault(three, 'Mine', ' '),
  ])
    // One's own name in other letters is one's own.
    .toEqual(['taken', undefined, 'name'])
})

test('one is taken away and put back where it stood', () => {
  const without = withoutSearch(three, 'Łąka')
  expect(names(without)).toEqual(['Links', 'Mine'])
  expect(withSearchBack(without, { search: saved('Łąka'), at: 1 })).toEqual(three)
  expect(withSearchBack(three, { search: saved('łąka', 'other'), at: 0 })).toEqual(three)
})

test('they change places, and not past an end', () => {
  expect(names(withSearchMoved(three, 'Mine', -1))).toEqual(['Links', 'Mine', 'Łąka'])
  expect(withSearchMoved(three, 'Mine', 1)).toBe(three)
  expect(withSearchMoved(three, 'nobody', 1)).toBe(three)
})

test('the one that asks the same is known by words, filters in any order, and place', () => {
  const here = { ...saved('Here', 'plan'), chips: ['has:link', 'from:ola'], cid: asCid('messaging:a') }
  const asked = { text: 'plan', chips: ['from:ola', 'has:link'] }
  expect(searchAsking([here], asked)).toBeUndefined()
  expect(searchAsking([here], { ...asked, cid: asCid('messaging:a') })).toBe(here)
  expect(searchAsking([here], { ...here, chips: ['from:ola'] })).toBeUndefined()
})
