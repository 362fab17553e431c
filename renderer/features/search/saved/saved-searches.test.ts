import { expect, test } from 'vitest'
import { MAX_SAVED_SEARCHES, type SavedSearch } from '#shared/domain/search.ts'
import { asCid } from '#shared/lib/brand.ts'
import {
  renamingFault,
  savingFault,
  searchAsking,
  withoutSearch,
  withSearch,
  withSearchBack,
  withSearchMoved,
  withSearchRenamed,
} from './Saved.tsx'

const saved = (name: string, text = name): SavedSearch => ({ name, text, chips: [], tab: 'messages' })
const three = [saved('Links'), saved('Łąka'), saved('Mine')]
const names = (searches: readonly SavedSearch[]) => searches.map(({ name }) => name)

test('a new search is appended; one of the same name, ignoring case and accents, is replaced in place', () => {
  expect(names(withSearch(three, saved(' New ')))).toEqual(['Links', 'Łąka', 'Mine', 'New'])
  expect(withSearch(three, saved('LAKA', 'has:image'))[1]).toEqual(saved('LAKA', 'has:image'))
})

test('a search needs a name, and there is a maximum; replacing is always possible', () => {
  const full = Array.from({ length: MAX_SAVED_SEARCHES }, (_, at) => saved(`search ${at}`))
  expect(savingFault(three, '  ')).toBe('name')
  expect(savingFault(three, 'links')).toBeUndefined()
  expect(savingFault(three, 'x')).toBeUndefined()
  expect(savingFault(full, 'one more')).toBe('full')
  expect(savingFault(full, 'Search 7')).toBeUndefined()
})

test('a search can be renamed, but not to the name of another one', () => {
  expect(names(withSearchRenamed(three, 'Mine', ' Ours '))).toEqual(['Links', 'Łąka', 'Ours'])
  expect(renamingFault(three, 'Mine', 'laka')).toBe('taken')
  expect(renamingFault(three, 'Łąka', 'Laka')).toBeUndefined()
  expect(renamingFault(three, 'Mine', ' ')).toBe('name')
})

test('a removed search can be restored to its position', () => {
  const without = withoutSearch(three, 'Łąka')
  expect(names(without)).toEqual(['Links', 'Mine'])
  expect(withSearchBack(without, { search: saved('Łąka'), at: 1 })).toEqual(three)
  expect(withSearchBack(three, { search: saved('łąka', 'other'), at: 0 })).toEqual(three)
})

test('searches can be reordered, but not beyond the ends', () => {
  expect(names(withSearchMoved(three, 'Mine', -1))).toEqual(['Links', 'Mine', 'Łąka'])
  expect(withSearchMoved(three, 'Mine', 1)).toBe(three)
  expect(withSearchMoved(three, 'nobody', 1)).toBe(three)
})

test('an equal search is found by text, filters in any order, and channel', () => {
  const here = { ...saved('Here', 'plan'), chips: ['has:link', 'from:ola'], cid: asCid('messaging:a') }
  const query = { text: 'plan', chips: ['from:ola', 'has:link'] }
  expect(searchAsking([here], query)).toBeUndefined()
  expect(searchAsking([here], { ...query, cid: asCid('messaging:a') })).toBe(here)
  expect(searchAsking([here], { ...here, chips: ['from:ola'] })).toBeUndefined()
})
