import { isBlank } from '#shared/lib/clean-text.ts'
import { SEARCH_NAME_LENGTH, MAX_SAVED_SEARCHES, type SavedSearch } from '../../domain/search.ts'
import { fold } from './search-fold.ts'

const called = (name: string) => (search: SavedSearch) => fold(search.name) === fold(name.trim())

/** The search with this name, ignoring case and accents. */
export const searchCalled = (searches: readonly SavedSearch[], name: string): SavedSearch | undefined =>
  searches.find(called(name))

/** The search with the same query, ignoring the order of its filters. */
export function searchAsking(
  searches: readonly SavedSearch[],
  { text, chips, cid }: Omit<SavedSearch, 'name' | 'tab'>,
): SavedSearch | undefined {
  const inOrder = (filters: readonly string[]): string => filters.toSorted().join('\n')
  return searches.find((each) => each.text === text && each.cid === cid && inOrder(each.chips) === inOrder(chips))
}

/** Why a search cannot be saved under this name. An existing name is allowed: that search is replaced. */
export function savingFault(searches: readonly SavedSearch[], name: string): 'name' | 'full' | undefined {
  if (isBlank(name)) return 'name'
  return searches.length >= MAX_SAVED_SEARCHES && !searches.some(called(name)) ? 'full' : undefined
}

/** Replaces the search of the same name, or appends it. */
export function withSearch(searches: readonly SavedSearch[], search: SavedSearch): readonly SavedSearch[] {
  const trimmed = { ...search, name: search.name.trim().slice(0, SEARCH_NAME_LENGTH) }
  const at = searches.findIndex(called(trimmed.name))
  return at < 0 ? [...searches, trimmed] : searches.with(at, trimmed)
}

/** Why a search cannot have that name: another one has it. */
export function renamingFault(
  searches: readonly SavedSearch[],
  from: string,
  to: string,
): 'name' | 'taken' | undefined {
  if (to.trim() === '') return 'name'
  return searches.some((each) => each.name !== from && called(to)(each)) ? 'taken' : undefined
}

export const withSearchRenamed = (searches: readonly SavedSearch[], from: string, to: string): readonly SavedSearch[] =>
  searches.map((each) => (each.name === from ? { ...each, name: to.trim().slice(0, SEARCH_NAME_LENGTH) } : each))

export const withoutSearch = (searches: readonly SavedSearch[], name: string): readonly SavedSearch[] =>
  searches.filter((each) => each.name !== name)

/** Restores a removed search to its position, unless its name is in use by now. */
export const withSearchBack = (
  searches: readonly SavedSearch[],
  { search, at }: { readonly search: SavedSearch; readonly at: number },
): readonly SavedSearch[] => (searches.some(called(search.name)) ? searches : searches.toSpliced(at, 0, search))

/** Moves a search one position up (-1) or down (1). */
export function withSearchMoved(searches: readonly SavedSearch[], name: string, by: 1 | -1): readonly SavedSearch[] {
  const at = searches.findIndex((each) => each.name === name)
  const [moved, other] = [searches[at], searches[at + by]]
  if (moved === undefined || other === undefined) return searches
  return searches.with(at, other).with(at + by, moved)
}
