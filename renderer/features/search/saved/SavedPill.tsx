import { useState } from 'react'
import { searchAsking } from '#shared/rules/search/saved-searches.ts'
import { SEARCH_NAME_LENGTH, type SavedSearch } from '#shared/domain/search.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useAppStore } from '../../../store/hooks.ts'
import type { MenuItem } from '../../../ui/Menu/Menu.tsx'
import { MenuPill } from '../../../ui/Mark/Pill.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import { placeName, useChipLabel } from '../labels.ts'
import { dayOf, filterOf, extractChips } from '../question.ts'
import { useSearchState } from '../results/results.ts'
import { openSaved, selectSavedSearches } from './saved.ts'
import { SaveDialog } from './SavedDialogs.tsx'

/** Saves the current search, and opens the saved ones. */
export function SavedPill() {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const { saved, present, suggestedName } = useSaving()
  const [naming, setNaming] = useState<string>()
  const same = present === undefined ? undefined : searchAsking(saved, present)
  const items = (): readonly MenuItem[] => [
    {
      id: 'save',
      label: t('saved.saveThis'),
      icon: 'plus',
      ...(present === undefined
        ? { disabledReason: t('saved.nothingAsked') }
        : same === undefined
          ? {}
          : { disabledReason: t('saved.isKept') }),
      onSelect: () => setNaming(suggestedName()),
    },
    ...(saved.length === 0 ? [] : [{ kind: 'separator', id: 'line' } satisfies MenuItem]),
    ...saved.map((search): MenuItem => ({
      id: `saved-${search.name}`,
      label: search.name,
      icon: 'bookmark',
      checked: search === same ? true : undefined,
      onSelect: () => dispatch(openSaved(search)),
    })),
  ]
  return (
    <>
      <MenuPill icon="bookmark" text={t('saved.pill')} items={items} />
      {naming === undefined || present === undefined ? null : (
        <SaveDialog present={present} suggestedName={naming} onClose={() => setNaming(undefined)} />
      )}
    </>
  )
}

/** The current search as it would be saved, and the saved ones. */
function useSaving(): {
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
  const extracted = extractChips(text, today, true)
  const phrase = extracted.text.trim()
  const all = [...chips, ...extracted.chips]
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
