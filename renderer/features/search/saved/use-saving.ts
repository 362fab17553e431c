import { SEARCH_NAME_LENGTH, type SavedSearch } from '#shared/domain/saved-search.ts'
import { useMinute } from '../../../lib/time/use-minute.ts'
import { useAppSelector, useAppStore } from '../../../store/hooks.ts'
import { placeName } from '../results/place-name.ts'
import { dayOf, filterOf, lift } from '../question.ts'
import { selectSavedSearches } from './saved.ts'
import { useChipLabel } from '../use-chip-label.ts'
import { useSearchState } from '../results/use-results.ts'

/** The current search as it would be saved, and the saved ones. */
export function useSaving(): {
  readonly saved: readonly SavedSearch[]
  readonly present: Omit<SavedSearch, 'name'> | undefined
  /** Suggests a name from its filters and text. */
  readonly suggestedName: () => string
} {
  const saved = useAppSelector(selectSavedSearches)
  const { text, chips, cid, tab } = useSearchState()
  const today = dayOf(useMinute())
  const label = useChipLabel()
  const store = useAppStore()
  // A filter still in the field counts, as if Enter had been pressed.
  const lifted = lift(text, today, true)
  const phrase = lifted.text.trim()
  const all = [...chips, ...lifted.chips]
  return {
    saved,
    present:
      phrase === '' && all.length === 0
        ? undefined
        : { text: phrase, chips: all, ...(cid === undefined ? {} : { cid }), tab },
    suggestedName: () => {
      const filters = all.flatMap((source) => {
        const filter = filterOf(source, today)
        return filter === undefined ? [] : [label(filter).text]
      })
      const place = cid === undefined ? [] : [placeName(store.getState(), cid)]
      return [...(phrase === '' ? [] : [phrase]), ...filters, ...place].join(', ').slice(0, SEARCH_NAME_LENGTH)
    },
  }
}
